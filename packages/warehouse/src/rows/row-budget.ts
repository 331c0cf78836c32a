import type { StatementLimits } from "../port/limits.ts";
import type { WarehouseRow } from "../port/values.ts";
import { bytesOf } from "./value-size.ts";

/** Counts the rows and bytes of one statement, and cuts them at its limits. */
export class RowBudget {
  truncated: "rows" | "bytes" | undefined;
  #rows: number;
  #bytes: number;

  constructor({ maxRows, maxBytes }: Pick<StatementLimits, "maxRows" | "maxBytes">) {
    this.#rows = maxRows;
    this.#bytes = maxBytes;
  }

  /** The rows that are within the limits. */
  take(rows: readonly WarehouseRow[]): readonly WarehouseRow[] {
    for (const [index, row] of rows.entries()) {
      this.#rows -= 1;
      this.#bytes -= bytesOf(row);
      if (this.#rows < 0) this.truncated = "rows";
      else if (this.#bytes < 0) this.truncated = "bytes";
      if (this.truncated !== undefined) return rows.slice(0, index);
    }
    return rows;
  }
}
