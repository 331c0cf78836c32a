/** A word of a command that a person may paste into a shell: a name that could be more than a word is in quotes. */
export function quoteWord(word: string): string {
  return /^[\w.:/-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
