import { ConfigError } from "@bridle/protocol";
import { StatementRefusedError } from "@bridle/sql";
import type { SqlDialect } from "../port/dialect.ts";
import type { TableStructure } from "../port/structure.ts";
import { splitExactName } from "../settings/name-pattern.ts";
import type { Catalog } from "./catalog.ts";
import type { RowFilter } from "./table-rules.ts";

/** Throws ConfigError for the first row filter that belongs to no table, or is not a condition over the table's columns. */
export async function checkRowFilters(
  connection: string,
  filters: readonly RowFilter[],
  catalog: Catalog,
  dialect: SqlDialect,
): Promise<void> {
  for (const { key, condition } of filters) {
    const field = `context.connections.${connection}.filters.${key}`;
    const [table] = catalog.find(splitExactName(key) ?? []);
    if (table === undefined)
      throw new ConfigError(`${field} names a table that does not exist. Correct it.`, { field });
    await checkCondition(field, condition, table, dialect);
  }
}

async function checkCondition(
  field: string,
  condition: string,
  { columns }: TableStructure,
  dialect: SqlDialect,
): Promise<void> {
  const names = columns.map(({ name }) => name);
  await dialect.checkCondition(condition, names).catch((cause: unknown) => {
    if (!(cause instanceof StatementRefusedError)) throw cause;
    throw new ConfigError(`${field} is not a condition of its table: ${cause.message}`, { field, cause });
  });
}
