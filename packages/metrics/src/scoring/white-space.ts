/**
 * White space as in Python's `str.split()`, `str.strip()` and `\s`: Unicode's white space, and the separators U+001C to U+001F.
 * JavaScript's `\s` and `trim()` include U+FEFF, but neither U+0085 nor these separators. The reference implementations of the metrics are
 * in Python.
 */
const pythonSpace = String.raw`[\p{White_Space}\x1c-\x1f]`;
const betweenWords = new RegExp(`${pythonSpace}+`, "u");
const atEnd = new RegExp(`(?<!${pythonSpace})${pythonSpace}+$`, "u");

/** Splits a text at white space, like Python's `str.split()`. */
export function splitAtSpace(text: string): string[] {
  return text.split(betweenWords).filter((part) => part !== "");
}

/** Removes white space at the end of a text, like Python's `str.rstrip()`. */
export function trimEndSpace(text: string): string {
  return text.replace(atEnd, "");
}
