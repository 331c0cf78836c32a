import type { SampleSize, SampleStatement } from "../../../port/dialect.ts";
import type { TableName, TableStructure } from "../../../port/structure.ts";
import { quoteName, quoteTable } from "./quote.ts";

/**
 * In a table with up to this many rows, every page is read and each row is chosen separately. In a larger table, whole pages are chosen.
 */
const maxRowsRead = 2_000_000;

/** Reads a table, or a repeatable sample of it. PostgreSQL cannot sample a view, so the view's first rows are read. */
export function selectSample(
  table: TableName & Partial<Pick<TableStructure, "kind">>,
  columns: readonly string[],
  sample?: SampleSize | undefined,
): SampleStatement {
  const list = columns.length === 0 ? "" : ` ${columns.map(quoteName).join(", ")}`;
  const sql = `SELECT${list} FROM ${quoteTable(table)}`;
  if (sample === undefined || sample.of <= sample.rows) return { sql, method: "all rows" };
  const rows = Math.max(1, Math.round(sample.rows));
  if (table.kind === "view") return { sql: `${sql} LIMIT ${rows}`, method: `first ${rows} rows` };
  const method = sample.of <= maxRowsRead ? "bernoulli" : "system";
  const percent = formatPercent((rows / sample.of) * 100);
  const seed = Math.trunc(sample.seed);
  return {
    sql: `${sql} TABLESAMPLE ${method} (${percent}) REPEATABLE (${seed})`,
    method: `${method} ${percent} %, seed ${seed}`,
  };
}

/** Writes a percentage with at least four significant digits, if they are not 0, and without an exponent. */
function formatPercent(percent: number): string {
  const digits = Math.max(2, 4 - Math.floor(Math.log10(percent)));
  return percent.toFixed(Math.min(digits, 20)).replace(/\.?0+$/, "");
}
