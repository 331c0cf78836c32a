/** Escapes a string for use in a regular expression. */
export function escapeExpression(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
