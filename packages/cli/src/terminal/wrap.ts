import { columnsOf, firstRow, type Measure } from "./columns.ts";

/** The minimum width, for terminals that are too narrow. */
const narrowest = 10;

/** Stands for a space at which a line is not broken. Printable text does not contain this character. */
const kept = "\0";

/**
 * Wraps a string into lines of at most `width` columns, between words. Longer words, such as paths, are broken too. Text that `whole`
 * matches, such as a command to copy, stays on one line, even if it is longer.
 */
export function wrap(text: string, width: number, measure: Measure = columnsOf, whole?: RegExp): string[] {
  if (width === Number.POSITIVE_INFINITY) return [text];
  const room = Math.max(width, narrowest);
  const lines: string[] = [];
  const words = whole === undefined ? text : text.replaceAll(whole, (found) => found.replaceAll(" ", kept));
  for (const word of words.split(" ")) {
    const shown = word.replaceAll(kept, " ");
    const longer = `${lines.at(-1)} ${shown}`;
    if (lines.length > 0 && measure(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(...(word.includes(kept) ? [shown] : splitWord(word, room, measure)));
  }
  return lines;
}

/** Splits a word after a slash in the second half of a line, if there is one, so that the names in a path stay whole. */
function splitWord(word: string, width: number, measure: Measure): string[] {
  const parts: string[] = [];
  let rest = word;
  for (;;) {
    const row = firstRow(rest.slice(0, 8 * width), width, measure);
    if (row.length === rest.length) return [...parts, rest];
    const slash = row.lastIndexOf("/") + 1;
    const end = slash > width / 2 ? slash : row.length;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
}
