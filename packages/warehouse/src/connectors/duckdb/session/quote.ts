/** Quotes a DuckDB identifier, which may contain any characters. */
export function quoteDuckDbName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Writes a string as a DuckDB literal. DuckDB does not treat backslashes as escapes. */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function quoteList(texts: readonly string[]): string {
  return `[${texts.map(quoteLiteral).join(", ")}]`;
}
