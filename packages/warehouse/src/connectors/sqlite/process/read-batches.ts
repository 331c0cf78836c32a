import type { StatementSync } from "node:sqlite";
import { countBytes } from "../../../port/value-size.ts";
import type { WarehouseRow } from "../../../port/values.ts";

export interface RowLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
}

/** The number of rows, and of bytes, at which a batch is passed on. */
const batch = { rows: 2_000, bytes: 500_000 };

/** Yields the rows of a statement in batches. Returns the limit that cut them, or undefined if the statement ended by itself. */
export function* readBatches(
  statement: StatementSync,
  { maxRows, maxBytes }: RowLimits,
): Generator<WarehouseRow[], "rows" | "bytes" | undefined, void> {
  let rows: WarehouseRow[] = [];
  let batchBytes = 0;
  let bytes = 0;
  let count = 0;
  let truncated: "rows" | "bytes" | undefined;
  for (const row of statement.iterate() as Iterable<unknown> as Iterable<WarehouseRow>) {
    const size = countBytes(row);
    truncated = count === maxRows ? "rows" : bytes + size > maxBytes ? "bytes" : undefined;
    if (truncated !== undefined) break;
    rows.push(row);
    count++;
    bytes += size;
    batchBytes += size;
    if (rows.length < batch.rows && batchBytes < batch.bytes) continue;
    yield rows;
    rows = [];
    batchBytes = 0;
  }
  if (rows.length > 0) yield rows;
  return truncated;
}
