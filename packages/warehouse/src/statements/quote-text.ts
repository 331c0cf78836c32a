/** Writes a string as a literal, for engines that use a backslash to escape the next character. */
export function quoteWithBackslashes(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\0", "\\0")}'`;
}
