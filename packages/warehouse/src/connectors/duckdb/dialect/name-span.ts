/** Finds names in the text of a statement. */

/** A part of a name: quoted, a text as in `FROM 'orders'`, or bare. */
const part = String.raw`"(?:[^"]|"")*"|'(?:[^']|'')*'|[^\s"'.,;()\[\]{}+*/<>=:!-]+`;
const space = String.raw`(?:\s|--[^\n]*(?:\n|$)|/\*(?:[^*]|\*(?!/))*\*/)*`;
const onePart = new RegExp(part, "y");
const nextPart = new RegExp(`${space}\\.${space}(${part})`, "y");

/** The ends of the parts of the name that begins at a position. Undefined if the name does not have this many parts. */
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

/** The start of the part after the given end of another part. */
export function findNextPart(text: string, end: number): number | undefined {
  nextPart.lastIndex = end;
  const match = nextPart.exec(text);
  return match === null ? undefined : nextPart.lastIndex - (match[1] ?? "").length;
}

/** Turns positions in bytes of UTF-8 into positions in the text. */
export function indexOfByte(text: string, bytes: number): number {
  return Buffer.from(text, "utf8").subarray(0, bytes).toString("utf8").length;
}
