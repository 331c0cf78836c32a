import { columnsOf, firstRow, type Measure } from "./columns.ts";

/** The least width, for terminals that are too narrow. */
const narrowest = 10;

/** Lines of at most `width` columns, broken between words. A longer word, such as a path, is broken too. */
export function wrap(text: string, width: number, measure: Measure = columnsOf): string[] {
  if (width === Number.POSITIVE_INFINITY) return [text];
  const room = Math.max(width, narrowest);
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && measure(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(...splitWord(word, room, measure));
  }
  return lines;
}

/** Breaks after a slash in the second half if there is one, so that the names in a path stay whole. */
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
