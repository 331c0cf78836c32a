const most = 20;

/** Lines as a list, of which a model or a person sees the first 20 and how many more there are. */
export function bullets(lines: readonly string[]): string {
  const shown = lines.slice(0, most).map((line) => `- ${line}`);
  return (lines.length > most ? [...shown, `- and ${lines.length - most} more`] : shown).join("\n");
}
