import type { ColumnStructure, WarehouseRow } from "@bridle/warehouse";
import type { ColumnProfile, TupleCount } from "../joins/profile.ts";
import { emptySketch } from "../joins/sketch.ts";
import { ColumnMeter } from "./column-meter.ts";
import { TupleCodes } from "./tuple-codes.ts";
import { ValueCounter } from "./value-counter.ts";

/** Measures the rows of a table as they arrive. */
export class TableMeter {
  readonly meters: readonly ColumnMeter[];
  readonly #codes: TupleCodes;
  readonly #different = new ValueCounter();

  /** `columns` are the columns that are read, in the order of the values of a row. */
  constructor(columns: readonly ColumnStructure[]) {
    this.meters = columns.map((column) => new ColumnMeter(column));
    this.#codes = new TupleCodes(columns.length);
  }

  get rows(): number {
    return this.#codes.rows;
  }

  /** The number of rows that repeat another row in all columns. */
  get repeatedRows(): number {
    return this.rows - this.#different.size;
  }

  add(row: WarehouseRow): void {
    let high = 7;
    let low = 11;
    for (let index = 0; index < this.meters.length; index++) {
      const code = this.meters[index]?.add(row[index] ?? null) ?? 0;
      this.#codes.add(index, code);
      high = Math.imul(high ^ code, 0x01000193) + index;
      low = Math.imul(low ^ code, 0x5bd1e995);
      low ^= low >>> 13;
    }
    this.#codes.endRow();
    this.#different.add(((high >>> 0) * 0x200000 + ((low >>> 0) >>> 11)) / 2 ** 53);
  }

  /** Counts combinations of columns among the rows that were read. */
  countTuples(sets: readonly (readonly string[])[]): readonly TupleCount[] {
    const positions = new Map(this.meters.map(({ column }, index) => [column.name, index]));
    const max = Math.ceil(0.02 * this.rows) + this.repeatedRows;
    return sets.map((names) =>
      this.#codes.count(
        names.map((name) => positions.get(name) ?? -1),
        max,
      ),
    );
  }
}

/** Returns the profile of a column that is not compared, because it is marked as sensitive or the engine cannot compare its values. */
export function hiddenColumn({ name, nativeType }: ColumnStructure): ColumnProfile {
  return {
    name,
    type: nativeType,
    filled: 0,
    distinct: 0,
    numbers: false,
    integers: false,
    dates: false,
    range: undefined,
    meanLength: 0,
    sameLength: false,
    sketch: emptySketch,
    hidden: true,
  };
}
