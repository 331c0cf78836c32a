import type { SqlDialect } from "../port/dialect.ts";
import type { TableStructure } from "../port/structure.ts";

export interface RelationParts {
  /** Columns that are replaced by digests. */
  readonly masked: readonly string[];
  /** The key of the digests. */
  readonly key: string;
  /** The condition that the rows must meet. */
  readonly condition?: string | undefined;
}

/**
 * The parenthesized SELECT that is read instead of a table; undefined if the table is read as it is. The condition is in a SELECT
 * of its own, so that it names the columns and not their digests, on engines where an alias hides a column, too.
 *
 * Each column is named with its table. If another program has removed one since the structure was read, its bare name could
 * mean a column of the statement around, which the caller chose: then a filter would hide nothing.
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

/** A condition may end in a comment, so the line ends after it. */
function filterRows(dialect: SqlDialect, table: TableStructure, condition: string): string {
  const rows = dialect.quoteIdentifier("rows");
  const quoted = table.columns.map(({ name }) => dialect.quoteIdentifier(name));
  const columns = quoted.map((name) => `${rows}.${name} AS ${name}`).join(", ");
  const fence = dialect.fence === undefined ? "" : ` ${dialect.fence}`;
  return `(SELECT ${columns} FROM ${dialect.quoteTable(table)} AS ${rows} WHERE (${condition}\n)${fence})`;
}
