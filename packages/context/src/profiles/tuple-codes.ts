import type { TupleCount } from "../joins/profile.ts";
import { ValueCounter } from "./value-counter.ts";

/** The numbers of the values of each row, so that combinations of columns can be counted without a query. */
export class TupleCodes {
  readonly #codes: Uint32Array[];
  #rows = 0;

  constructor(columns: number) {
    this.#codes = Array.from({ length: columns }, () => new Uint32Array(64));
  }

  /** Adds a value to the row that the next `endRow` ends. 0 stands for a missing value. */
  add(column: number, code: number): void {
    let codes = this.#codes[column];
    if (codes === undefined) return;
    if (this.#rows >= codes.length) {
      const longer = new Uint32Array(2 * codes.length);
      longer.set(codes);
      codes = this.#codes[column] = longer;
    }
    codes[this.#rows] = code;
  }

  endRow(): void {
    this.#rows++;
  }

  get rows(): number {
    return this.#rows;
  }

  /**
   * Counts the rows with a value in all columns, and the different tuples of values. Stops when more rows than `maxRepeats` repeat a tuple.
   * In that case, `distinct` is incomplete, but already shows that the columns are not unique, which is all that callers need to know.
   */
  count(columns: readonly number[], maxRepeats: number): TupleCount {
    const lists = columns.map((column) => this.#codes[column] ?? new Uint32Array());
    const seen = new ValueCounter();
    let filled = 0;
    let missing = 0;
    for (let row = 0; row < this.#rows; row++) {
      const hash = hashTuple(lists, row);
      if (hash < 0) {
        missing++;
        continue;
      }
      filled++;
      seen.add(hash);
      if (filled - seen.size > maxRepeats) break;
    }
    return { filled: this.#rows - missing, distinct: seen.size };
  }
}

/** Returns a hash of a row's values, as a fraction from 0 to 1, or -1 if a value is missing. */
function hashTuple(lists: readonly Uint32Array[], row: number): number {
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  for (const codes of lists) {
    const code = codes[row] ?? 0;
    if (code === 0) return -1;
    high = Math.imul(high ^ code, 0xcc9e2d51);
    high = (high << 15) | (high >>> 17);
    low = Math.imul(low ^ (code + 0x7f4a7c15), 0x1b873593);
    low = ((low << 13) | (low >>> 19)) + high;
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b);
  high = (high ^ (high >>> 13)) >>> 0;
  low = Math.imul(low ^ (low >>> 15) ^ high, 0xc2b2ae35);
  low = (low ^ (low >>> 16)) >>> 0;
  return (high * 0x200000 + (low >>> 11)) / 2 ** 53;
}
