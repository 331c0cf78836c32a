import { countBytes } from "../../../port/value-size.ts";
import type { WarehouseRow } from "../../../port/values.ts";

/** Cuts rows at the limits of a statement. */
export class RowBudget {
  #rows: number;
  #bytes: number;
  #exceeded: "rows" | "bytes" | undefined;

  constructor(maxRows: number, maxBytes: number) {
    this.#rows = maxRows;
    this.#bytes = maxBytes;
  }

  /** Which limit was reached before the rows ended. */
  get exceeded(): "rows" | "bytes" | undefined {
    return this.#exceeded;
  }

  /** The rows that still fit. */
  take(rows: readonly WarehouseRow[]): readonly WarehouseRow[] {
    const fitting = rows.length > this.#rows ? rows.slice(0, this.#rows) : rows;
    this.#rows -= fitting.length;
    const taken = Number.isFinite(this.#bytes) ? this.#takeBytes(fitting) : fitting;
    if (taken.length < fitting.length) this.#exceeded = "bytes";
    else if (fitting.length < rows.length) this.#exceeded = "rows";
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
