/** Splits a text, for example a result of 10 MB, into pieces that are rendered one after the other. Pieces end at line ends if possible. */
export function splitText(text: string, max = 4000): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start, max);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

function endOfPiece(text: string, start: number, max: number): number {
  const end = start + max;
  if (end >= text.length) return text.length;
  const line = text.lastIndexOf("\n", end - 1) + 1;
  if (line > start + max / 2) return line;
  return isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end; // never split a surrogate pair, such as an emoji
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
