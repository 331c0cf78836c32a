import type { CatalogueReader } from "./catalogue-query.ts";

/** The names of functions and macros that the database itself contains, in lower case. */
export async function readShadowed(reader: CatalogueReader): Promise<ReadonlySet<string>> {
  const rows = await reader.read("SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE NOT internal");
  return new Set(rows.map(([name]) => String(name)));
}
