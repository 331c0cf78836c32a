/** Finds the tables whose rows a view or a virtual table shows. */
import { constants, type DatabaseSync, type StatementSync } from "node:sqlite";
import { lowerAscii } from "@bridle/sql";
import type { ReadTables } from "../../port/structure.ts";
import { tableFunctionsThatRead } from "./functions.ts";

/**
 * Prepares a statement, and collects the names of the tables that it reads, directly or through views. SQLite itself reports these names.
 */
export function prepareAndCollect(
  database: DatabaseSync,
  sql: string,
): { readonly statement: StatementSync; readonly names: ReadonlySet<string> } {
  const names = new Set<string>();
  database.setAuthorizer((action, table) => {
    if (action === constants.SQLITE_READ && table !== null) names.add(table);
    return constants.SQLITE_OK;
  });
  try {
    return { statement: database.prepare(sql), names };
  } finally {
    database.setAuthorizer(null);
  }
}

/**
 * Selects the tables that a view reads from the names that SQLite reports. A full-text index reads its own tables (`shadow`), and table
 * functions read none. Any other name belongs to the catalog.
 */
export function readTablesOfView(
  view: string,
  names: Iterable<string>,
  tables: ReadonlySet<string>,
  shadow: ReadonlySet<string>,
): ReadTables {
  const ignored = (name: string) => name === lowerAscii(view) || shadow.has(name) || tableFunctionsThatRead.has(name);
  const read = [...names].filter((name) => !ignored(lowerAscii(name)));
  if (!read.every((name) => tables.has(lowerAscii(name)))) return "unknown";
  return read.map((table) => ({ schema: "main", table }));
}

/** Matches modules whose tables have their own rows, except full-text indexes over the text of another table. */
const ownRows = /\busing\s+(?:fts[345]|rtree|rtree_i32|geopoly)\b/i;
const content = /\bcontent\s*=\s*(?:'([^']*)'|"([^"]*)"|\[([^\]]*)\]|`([^`]*)`|(\w+))/i;

/** Finds the tables that a virtual table reads, from its definition. Undefined if the virtual table has its own rows. */
export function readTablesOfVirtual(definition: string): ReadTables | undefined {
  if (!ownRows.test(definition)) return "unknown";
  const found = content.exec(definition);
  if (found === null) return /\bcontent\b[^,]*=/i.test(definition) ? "unknown" : undefined;
  const table = found.slice(1).find((name) => name !== undefined) ?? "";
  return table === "" ? undefined : [{ schema: "main", table }];
}
