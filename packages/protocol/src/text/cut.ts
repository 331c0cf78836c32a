/** The beginning and end of a string that was too long. */
export interface CutText {
  head: string;
  tail: string;
  /** The number of omitted characters between head and tail. */
  omitted: number;
}

/**
 * Keeps the beginning and the end of a string, four fifths and one fifth of `limit` characters (UTF-16 code units). Never splits a
 * surrogate pair. Returns undefined if the string is short enough.
 */
export function cutText(text: string, limit: number): CutText | undefined {
  if (text.length <= limit) return undefined;
  const headEnd = pairStart(text, Math.floor(limit * 0.8));
  const tailStart = pairEnd(text, text.length - Math.floor(limit * 0.2));
  return { head: text.slice(0, headEnd), tail: text.slice(tailStart), omitted: tailStart - headEnd };
}

/** Returns the given index, or one less if it is inside a surrogate pair. */
export function pairStart(text: string, index: number): number {
  return isInsidePair(text, index) ? index - 1 : index;
}

/** Returns the given index, or one more if it is inside a surrogate pair. */
export function pairEnd(text: string, index: number): number {
  return isInsidePair(text, index) ? index + 1 : index;
}

function isInsidePair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
