/** Finds names in the text of a statement. */

/** Matches a part of a name: a quoted name, a string as in `FROM 'orders'`, or an unquoted word. */
const part = String.raw`"(?:[^"]|"")*"|'(?:[^']|'')*'|[^\s"'.,;()\[\]{}+*/<>=:!-]+`;
const space = String.raw`(?:\s|--[^\n]*(?:\n|$)|/\*(?:[^*]|\*(?!/))*\*/)*`;
const onePart = new RegExp(part, "y");
const nextPart = new RegExp(`${space}\\.${space}(${part})`, "y");

/** Returns the ends of the parts of the name that begins at `start`. Undefined if the name has fewer than `count` parts. */
export function findNameParts(text: string, start: number, count: number): readonly number[] | undefined {
  onePart.lastIndex = start;
  if (onePart.exec(text) === null) return undefined;
  const ends = [onePart.lastIndex];
  while (ends.length < count) {
    nextPart.lastIndex = ends.at(-1) ?? start;
    if (nextPart.exec(text) === null) return undefined;
    ends.push(nextPart.lastIndex);
  }
  return ends;
}

/** Returns the start of the part that follows the part with the given end. */
export function findNextPart(text: string, end: number): number | undefined {
  nextPart.lastIndex = end;
  const match = nextPart.exec(text);
  return match === null ? undefined : nextPart.lastIndex - (match[1] ?? "").length;
}

/** Converts a position in bytes of UTF-8 to a position in the text. */
export function indexOfByte(text: string, bytes: number): number {
  return Buffer.from(text, "utf8").subarray(0, bytes).toString("utf8").length;
}
