const most = 20;

/** Lines as a list. Shows the first 20 and the number of the others. */
export function bullets(lines: readonly string[]): string {
  const shown = lines.slice(0, most).map((line) => `- ${line}`);
  return (lines.length > most ? [...shown, `- and ${lines.length - most} more`] : shown).join("\n");
}
