import type { SqlDialect } from "../port/dialect.ts";
import type { TableStructure } from "../port/structure.ts";

export interface RelationParts {
  /** Columns that are replaced with digests. */
  readonly masked: readonly string[];
  /** The key for the digests. */
  readonly key: string;
  /** The condition that the rows must meet. */
  readonly condition?: string | undefined;
}

/**
 * Returns the parenthesized SELECT to read instead of a table; undefined if the table is read unchanged. The row filter's condition is in a
 * separate SELECT, so that it refers to the columns and not to their digests, even on engines where an alias hides a column.
 *
 * Each column is named with its table. If another program removed a column after the structure was read, its bare name could refer to a
 * column of the enclosing statement. A caller could choose the enclosing statement's column so that the filter hides nothing.
 */
export function buildRelation(
  dialect: SqlDialect,
  table: TableStructure,
  { masked, key, condition }: RelationParts,
): string | undefined {
  const filtered = condition === undefined ? undefined : filterRows(dialect, table, condition);
  if (masked.length === 0 && (filtered !== undefined || table.isPartial !== true)) return filtered;
  const rows = dialect.quoteIdentifier("rows");
  const columns = table.columns.map(({ name }) => {
    const quoted = dialect.quoteIdentifier(name);
    const full = `${rows}.${quoted}`;
    return `${masked.includes(name) ? dialect.digest(full, key) : full} AS ${quoted}`;
  });
  return `(SELECT ${columns.join(", ")} FROM ${filtered ?? dialect.quoteTable(table)} AS ${rows})`;
}

/** Applies the condition. A line break follows the condition, because it may end with a comment. */
function filterRows(dialect: SqlDialect, table: TableStructure, condition: string): string {
  const rows = dialect.quoteIdentifier("rows");
  const quoted = table.columns.map(({ name }) => dialect.quoteIdentifier(name));
  const columns = quoted.map((name) => `${rows}.${name} AS ${name}`).join(", ");
  const fence = dialect.fence === undefined ? "" : ` ${dialect.fence}`;
  return `(SELECT ${columns} FROM ${dialect.quoteTable(table)} AS ${rows} WHERE (${condition}\n)${fence})`;
}
