/** Quotes a word for a shell if it needs quotes: double quotes if possible, else single quotes. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`;
}

/** The flags that select the same project again, each word quoted for a shell. */
export function locationWords({
  projectDir,
  namespace,
}: {
  readonly projectDir?: string | undefined;
  readonly namespace?: string | undefined;
}): string[] {
  return [
    ...(projectDir === undefined ? [] : ["--project-dir", projectDir]),
    ...(namespace === undefined ? [] : ["--namespace", namespace]),
  ];
}
