import type { ColumnFacts } from "../schema-facts.ts";
import { compareSketches } from "../sketch.ts";
import { IntegerCounts } from "./integer-counts.ts";

/** The share of a child that a parent contains, as far as it is known without a query. */
export interface KnownInclusion {
  /** The share of the child's rows that have a value in the parent, among those that were compared. */
  readonly rows: number;
  /** The number of different values that were compared. */
  readonly compared: number;
  /** Whether all values of the child were compared. */
  readonly exact: boolean;
}

/** Compares the values of one child with those of many parents. */
export class InclusionProbe {
  readonly #child: ColumnFacts;
  /** Null until the comparison with a parent needs it. */
  #integers: IntegerCounts | undefined | null = null;

  constructor(child: ColumnFacts) {
    this.#child = child;
  }

  /** Compares at most `maxCompared` hashes, and ends early when a tenth of the child's rows has no parent. */
  compare(parent: ColumnFacts, maxCompared = Number.POSITIVE_INFINITY): KnownInclusion {
    const { sketch, filled, distinct } = this.#child;
    const counted = this.#countWithin(parent);
    if (counted !== undefined) return { rows: counted, compared: distinct, exact: true };
    const { rows, compared } = compareSketches(sketch, parent.sketch, 0.1 * filled, maxCompared);
    return { rows, compared, exact: sketch.complete && parent.sketch.complete };
  }

  /** Returns the share of rows in a parent that has every whole number of its range, even if its sketch is incomplete. */
  #countWithin(parent: ColumnFacts): number | undefined {
    const [from, to] = this.#child.range ?? [0, 0];
    const [min, greatest] = parent.range ?? [0, 0];
    if (parent.distinct !== greatest - min + 1 || !isInteger(this.#child) || !isInteger(parent)) return undefined;
    if (from >= min && to <= greatest) return 1;
    if (this.#integers === null) this.#integers = IntegerCounts.of(this.#child);
    return this.#integers && this.#integers.between(min, greatest) / this.#child.filled;
  }
}

/** Whether the values are whole numbers that the database stores as such, so that each has only one spelling. */
function isInteger({ integers, range, type, table }: ColumnFacts): boolean {
  const exact = integers && range !== undefined && table.profile.sampled !== true;
  return exact && /^(tiny|small|medium|big|u|hyper)*(int|serial)/i.test(type);
}
