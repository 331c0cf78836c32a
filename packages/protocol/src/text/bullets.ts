const max = 20;

/** Formats lines as a list with the first 20 lines and the number of the others. */
export function bullets(lines: readonly string[]): string {
  const shown = lines.slice(0, max).map((line) => `- ${line}`);
  return (lines.length > max ? [...shown, `- and ${lines.length - max} more`] : shown).join("\n");
}
