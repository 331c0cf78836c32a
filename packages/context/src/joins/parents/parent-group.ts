import type { JoinSteps } from "../join-steps.ts";
import type { ColumnFacts } from "../schema-facts.ts";
import { sketchLimit } from "../sketch.ts";
import { ParentPostings } from "./parent-postings.ts";

/** The number of bits of a hash that a parent's filter uses. */
const filterBits = 13;

/** The number of a child's hashes that are looked up before its sketch is compared. */
const probes = 12;

/** The share of a child's rows that may have no parent. */
const mayMiss = 0.1;

/** Parents with values of one kind, the most likely first. */
export class ParentGroup {
  readonly #parents: readonly IndexedParent[];
  /** Each parent's number of different values, in one array because it excludes most parents. */
  readonly #distinct: Float64Array;
  readonly #postings: ParentPostings;
  /** The position and the greatest hash of each parent with an incomplete sketch, ascending by hash. */
  readonly #open: readonly { readonly number: number; readonly limit: number }[];

  private constructor(parents: readonly IndexedParent[], postings: ParentPostings) {
    this.#parents = parents;
    this.#distinct = Float64Array.from(parents, ({ column }) => column.distinct);
    this.#postings = postings;
    this.#open = parents
      .map(({ limit }, number) => ({ number, limit }))
      .filter(({ limit }) => limit < 2 ** 32)
      .sort((a, b) => a.limit - b.limit);
  }

  static async create(parents: readonly IndexedParent[], steps: JoinSteps): Promise<ParentGroup> {
    const sketches = parents.map(({ column }) => column.sketch);
    return new ParentGroup(parents, await ParentPostings.create(sketches, steps));
  }

  /** Returns the first parents that may contain the child's values, at most `max`. */
  possibleFor(probe: ChildProbe, max: number): readonly IndexedParent[] {
    const found: IndexedParent[] = [];
    const { child } = probe;
    const [first] = this.#parents;
    if (first === undefined || (valueKindOf(first.column) !== valueKindOf(child) && !child.integers)) return found;
    const fewest = child.distinct - mayMiss * child.filled;
    const some = this.#withSomeValues(probe);
    for (let at = 0; at < (some ?? this.#parents).length && found.length < max; at++) {
      const number = some === undefined ? at : (some[at] ?? 0);
      if ((this.#distinct[number] ?? 0) < fewest) continue;
      const parent = this.#parents[number];
      if (parent !== undefined && probe.mayBeIn(parent)) found.push(parent);
    }
    return found;
  }

  /** Returns the parents that have at least one of the necessary values, or undefined if that excludes too few. */
  #withSomeValues({ needed }: ChildProbe): readonly number[] | undefined {
    const greatest = needed.at(-1);
    if (greatest === undefined) return undefined;
    const found = this.#postings.withAny(needed, this.#parents.length / 2);
    if (found === undefined) return undefined;
    const open: number[] = [];
    for (const { number, limit } of this.#open) {
      if (limit >= greatest) break;
      open.push(number);
    }
    return open.length === 0 ? found : [...new Set([...found, ...open])].sort((a, b) => a - b);
  }
}

export function valueKindOf({ numbers, dates }: ColumnFacts): string {
  return `${numbers} ${dates}`;
}

/** A parent with a filter of its hashes. A hash without its bit in the filter is not among them. */
export class IndexedParent {
  readonly column: ColumnFacts;
  /** The parent's position in the order of likelihood. */
  readonly place: number;
  readonly limit: number;
  readonly #filter: Uint32Array;

  constructor(column: ColumnFacts, place: number) {
    const { hashes } = column.sketch;
    this.column = column;
    this.place = place;
    this.limit = column.table.profile.sampled === true ? -1 : sketchLimit(column.sketch);
    this.#filter = new Uint32Array(2 ** (filterBits - 5));
    for (const hash of hashes) {
      const bit = hash >>> (32 - filterBits);
      const word = bit >>> 5;
      this.#filter[word] = (this.#filter[word] ?? 0) | (1 << (bit & 31));
    }
  }

  /** Whether the hash may be in the sketch. Valid only for hashes up to `limit`. */
  mayHave(hash: number): boolean {
    const bit = hash >>> (32 - filterBits);
    return ((this.#filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
  }
}

/** A child, prepared for the comparison with many parents. */
export class ChildProbe {
  readonly child: ColumnFacts;
  /**
   * The smallest hashes of the child: a parent must have one of them, because too many rows have these values. Empty if the sketch has too
   * few hashes.
   */
  readonly needed: Uint32Array;
  readonly #hashes: readonly number[];
  readonly #counts: readonly number[];
  /** The number of rows that may have no parent. */
  readonly #maxMissing: number;

  constructor(child: ColumnFacts) {
    const { hashes, counts } = child.sketch;
    this.child = child;
    this.#hashes = [...hashes.subarray(0, probes)];
    this.#counts = [...counts.subarray(0, probes)];
    this.#maxMissing = mayMiss * child.filled;
    let rows = 0;
    const end = counts.findIndex((count) => {
      rows += count;
      return rows > this.#maxMissing;
    });
    this.needed = hashes.subarray(0, end + 1);
  }

  mayBeIn(parent: IndexedParent): boolean {
    const { column, limit } = parent;
    if (column === this.child || !isComparable(this.child, column) || !withinRange(this.child, column)) return false;
    let missing = 0;
    for (let at = 0; at < this.#hashes.length; at++) {
      const hash = this.#hashes[at] ?? 0;
      if (hash > limit) return true;
      if (!parent.mayHave(hash)) missing += this.#counts[at] ?? 0;
      if (missing > this.#maxMissing) return false;
    }
    return true;
  }
}

/** Whether two columns contain values of one kind. */
export function isComparable(child: ColumnFacts, parent: ColumnFacts): boolean {
  const code = child.numbers && child.integers && parent.meanLength < 20;
  return (child.numbers === parent.numbers || code) && child.dates === parent.dates;
}

/** Whether the child's numbers can lie in the parent at all. Orphans may lie a little outside. */
function withinRange(child: ColumnFacts, parent: ColumnFacts): boolean {
  if (child.distinct - parent.distinct > 0.1 * child.filled) return false;
  if (child.range === undefined || parent.range === undefined || child.sketch.complete) return true;
  const span = 0.1 * (parent.range[1] - parent.range[0]);
  // Invalid values such as 999999 lie far outside, but on one side only.
  return child.range[0] >= parent.range[0] - span || child.range[1] <= parent.range[1] + span;
}
