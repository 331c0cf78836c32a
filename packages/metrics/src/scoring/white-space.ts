/**
 * White space as in Python's `str.split()`, `str.strip()` and `\s`: that of Unicode, and the separators U+001C to U+001F. JavaScript's `\s`
 * and `trim()` also have U+FEFF, and neither U+0085 nor these separators. The references of the metrics are written in Python.
 */
const pythonSpace = String.raw`[\p{White_Space}\x1c-\x1f]`;
const betweenWords = new RegExp(`${pythonSpace}+`, "u");
const atEnd = new RegExp(`(?<!${pythonSpace})${pythonSpace}+$`, "u");

/** The parts of a text between white space, as Python's `str.split()`. */
export function splitAtSpace(text: string): string[] {
  return text.split(betweenWords).filter((part) => part !== "");
}

/** The text without white space at its end, as Python's `str.rstrip()`. */
export function trimEndSpace(text: string): string {
  return text.replace(atEnd, "");
}
