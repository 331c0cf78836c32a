import { columnsOf } from "./columns.ts";

/** What is left of a line on a terminal that is as good as none. */
const narrowest = 10;

/** Lines of at most `width` columns, broken between words; a longer word, such as a path, within it. */
export function wrap(text: string, width: number): string[] {
  if (width === Number.POSITIVE_INFINITY) return [text];
  const room = Math.max(width, narrowest);
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && columnsOf(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(...piecesOf(word, room));
  }
  return lines;
}

/** After a slash where there is one in the second half, so that the names in a path stay whole. */
function piecesOf(word: string, width: number): string[] {
  if (word.length <= width) return [word];
  const slash = word.lastIndexOf("/", width - 1) + 1;
  const end = slash > width / 2 ? slash : width;
  return [word.slice(0, end), ...piecesOf(word.slice(end), width)];
}
