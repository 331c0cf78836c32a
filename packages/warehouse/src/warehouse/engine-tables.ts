import type { TableName } from "../port/structure.ts";

/** Whether a name belongs to the engine's own catalog, which is never in scope. */
export function isOfEngine({ schema, table }: TableName): boolean {
  return (
    /^(?:information_schema|pg_\w+|sys|mysql|performance_schema|system|duckdb_\w+|master|msdb)$/i.test(schema) ||
    /^(?:sqlite_|pg_|duckdb_)\w+$/i.test(table)
  );
}
