/** Quotes an identifier of DuckDB, whatever it contains. */
export function quoteDuckDbName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Writes a text as a literal of DuckDB. A backslash has no meaning there. */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function quoteList(texts: readonly string[]): string {
  return `[${texts.map(quoteLiteral).join(", ")}]`;
}
