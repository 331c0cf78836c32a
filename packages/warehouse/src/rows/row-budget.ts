import type { StatementLimits } from "../port/limits.ts";
import { countBytes } from "../port/value-size.ts";
import type { WarehouseRow } from "../port/values.ts";

/** Counts the rows and bytes of one statement, and cuts them at its limits. */
export class RowBudget {
  /** The limit that was reached before the rows ended. */
  truncated: "rows" | "bytes" | undefined;
  #rows: number;
  #bytes: number;

  constructor({ maxRows, maxBytes }: Pick<StatementLimits, "maxRows" | "maxBytes">) {
    this.#rows = maxRows;
    this.#bytes = maxBytes;
  }

  /** The number of remaining bytes. */
  get bytesLeft(): number {
    return Math.max(0, this.#bytes);
  }

  /** Ends the rows because the next row is too long to be read. */
  cut(): void {
    this.truncated ??= "bytes";
  }

  /** Returns the rows that still fit within the limits. */
  take(rows: readonly WarehouseRow[]): readonly WarehouseRow[] {
    const fitting = rows.length > this.#rows ? rows.slice(0, this.#rows) : rows;
    this.#rows -= fitting.length;
    const taken = Number.isFinite(this.#bytes) ? this.#takeBytes(fitting) : fitting;
    if (taken.length < fitting.length) this.truncated = "bytes";
    else if (fitting.length < rows.length) this.truncated = "rows";
    return taken;
  }

  #takeBytes(rows: readonly WarehouseRow[]): readonly WarehouseRow[] {
    for (const [index, row] of rows.entries()) {
      this.#bytes -= countBytes(row);
      if (this.#bytes < 0) return rows.slice(0, index);
    }
    return rows;
  }
}
