/**
 * Quotes a word of a command that the user may paste into a shell: with double quotes if it needs quotes, and with single quotes if double
 * quotes are not enough.
 */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`;
}
