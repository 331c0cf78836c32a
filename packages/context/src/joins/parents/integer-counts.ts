import type { ColumnFacts } from "../schema-facts.ts";
import { hashValue, shortHash } from "../sketch.ts";

/** The maximum width of a range whose whole numbers are looked up. */
const widest = 4096;

/** The number of rows of a column with each whole number of its range, read from a complete sketch. */
export class IntegerCounts {
  readonly #min: number;
  /** At each position, the number of rows with a value that is less than the smallest value plus the position. */
  readonly #sums: Float64Array;

  private constructor(min: number, sums: Float64Array) {
    this.#min = min;
    this.#sums = sums;
  }

  /** Counts a column's rows; undefined if it has other values, if its sketch does not contain all values, or if its range is wide. */
  static of({ integers, range, sketch, filled }: ColumnFacts): IntegerCounts | undefined {
    if (!integers || range === undefined || !sketch.complete) return undefined;
    const [min, greatest] = range;
    if (greatest - min >= widest || !Number.isSafeInteger(min)) return undefined;
    const rows = new Map(Array.from(sketch.hashes, (hash, at) => [hash, sketch.counts[at] ?? 0]));
    const sums = new Float64Array(greatest - min + 2);
    for (let at = 0; at < sums.length - 1; at++) {
      sums[at + 1] = (sums[at] ?? 0) + (rows.get(shortHash(hashValue(String(min + at)))) ?? 0);
    }
    return sums.at(-1) === filled ? new IntegerCounts(min, sums) : undefined;
  }

  /** Counts the rows with a value between two whole numbers, both included. */
  between(from: number, to: number): number {
    const below = (value: number) => this.#sums[Math.min(Math.max(0, value - this.#min), this.#sums.length - 1)] ?? 0;
    return from > to ? 0 : below(to + 1) - below(from);
  }
}
