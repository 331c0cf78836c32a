/** A text as a literal of engines in which a backslash escapes the next character. */
export function quoteWithBackslashes(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\0", "\\0")}'`;
}
