/** Quotes an identifier. Doubling a quote is SQLite's only escape within quotes. */
export function quoteSqliteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Writes a string as a literal. A NUL would end the statement, so a string with a NUL is written as parts that SQLite joins. */
export function quoteSqliteText(text: string): string {
  const parts = text.split("\0").map((part) => `'${part.replaceAll("'", "''")}'`);
  return parts.length === 1 ? (parts[0] ?? "''") : `(${parts.join(" || char(0) || ")})`;
}
