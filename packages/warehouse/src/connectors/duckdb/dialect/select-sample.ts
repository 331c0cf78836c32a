import type { SampleSize, SampleStatement } from "../../../port/dialect.ts";
import type { TableName } from "../../../port/structure.ts";
import { quoteDuckDbName } from "../session/quote.ts";
import { quoteFullName } from "./replace-tables.ts";

/** The greatest seed that DuckDB accepts. */
const greatestSeed = 2 ** 31 - 1;

/**
 * Samples a table with a reservoir, so that the sample has exactly the requested number of rows. The same seed returns the same rows, with
 * any number of threads.
 */
export function selectDuckDbSample(name: TableName, columns: readonly string[], sample?: SampleSize): SampleStatement {
  const from = `SELECT ${columns.map(quoteDuckDbName).join(", ")} FROM ${quoteFullName(name)}`;
  if (sample === undefined || sample.of <= sample.rows) return { sql: from, method: "all rows" };
  const rows = Math.max(1, Math.round(sample.rows));
  const seed = Math.abs(Math.trunc(sample.seed)) % greatestSeed;
  return {
    sql: `${from} USING SAMPLE reservoir(${rows} ROWS) REPEATABLE (${seed})`,
    method: `reservoir of ${rows} rows, seed ${seed}`,
  };
}
