/** Quotes an identifier. SQLite has no escapes within quotes beside the doubled quote. */
export function quoteSqliteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Writes a text as a literal. A NUL would end the statement, so a text with one is put together from parts. */
export function quoteSqliteText(text: string): string {
  const parts = text.split("\0").map((part) => `'${part.replaceAll("'", "''")}'`);
  return parts.length === 1 ? (parts[0] ?? "''") : `(${parts.join(" || char(0) || ")})`;
}
