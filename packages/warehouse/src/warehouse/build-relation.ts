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
 */
export function buildRelation(
  dialect: SqlDialect,
  table: TableStructure,
  { masked, key, condition }: RelationParts,
): string | undefined {
  const filtered = condition === undefined ? undefined : filterRows(dialect, table, condition);
  if (masked.length === 0) return filtered;
  const columns = table.columns.map(({ name }) => {
    const quoted = dialect.quoteIdentifier(name);
    return masked.includes(name) ? `${dialect.digest(quoted, key)} AS ${quoted}` : quoted;
  });
  const source =
    filtered === undefined ? dialect.quoteTable(table) : `${filtered} AS ${dialect.quoteIdentifier("rows")}`;
  return `(SELECT ${columns.join(", ")} FROM ${source})`;
}

/** A condition may end in a comment, so the line ends after it. */
function filterRows(dialect: SqlDialect, table: TableStructure, condition: string): string {
  const columns = table.columns.map(({ name }) => dialect.quoteIdentifier(name)).join(", ");
  const fence = dialect.fence === undefined ? "" : ` ${dialect.fence}`;
  return `(SELECT ${columns} FROM ${dialect.quoteTable(table)} WHERE (${condition}\n)${fence})`;
}
