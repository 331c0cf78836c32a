import type { ColumnFacts } from "./schema-facts.ts";
import { sketchLimit } from "./sketch.ts";

/** If a child has more possible parents, only those that are more likely are compared with it. */
const compared = 300;

/** Of them, so many whose names have nothing in common with the child's. */
const strange = 60;

/** Bits of the filter of a parent's hashes. */
const filterBits = 13;

/** So many hashes of a child are looked up before its sketch is compared. */
const probes = 12;

/** The columns that others may link to, so that most of them are excluded without a comparison of sketches. */
export class ParentIndex {
  /** The most likely first: first columns of tables, then those with fewer values. */
  readonly #parents: readonly IndexedParent[];
  /** The same by the kind of their values, in the same order. */
  readonly #byKind: ReadonlyMap<string, ParentGroup>;
  readonly #byWord = new Map<string, Set<IndexedParent>>();
  readonly #byStart = new Map<string, Set<string>>();

  constructor(columns: readonly ColumnFacts[]) {
    const order = (a: ColumnFacts, b: ColumnFacts) =>
      Number(a.position > 0) - Number(b.position > 0) || a.distinct - b.distinct;
    this.#parents = columns.toSorted(order).map((column, place) => new IndexedParent(column, place));
    const kinds = Map.groupBy(this.#parents, ({ column }) => kindOf(column));
    this.#byKind = new Map([...kinds].map(([kind, own]) => [kind, new ParentGroup(own)]));
    for (const parent of this.#parents) this.#addWords(parent);
  }

  /** The parents whose values may contain the child's. In large schemas, the most likely of them. */
  possibleFor(child: ColumnFacts): readonly ColumnFacts[] {
    const probe = new ChildProbe(child);
    const groups = [...this.#byKind.values()].flatMap((group) => group.possibleFor(child, probe));
    const possible = this.#byKind.size > 1 ? groups.sort((a, b) => a.place - b.place) : groups;
    if (possible.length <= compared) return possible.map(({ column }) => column);
    const near = this.#nearTo(child);
    const named = possible.filter((parent) => near.has(parent)).slice(0, compared - strange);
    const others = possible.filter((parent) => !near.has(parent)).slice(0, strange);
    return [...named, ...others].map(({ column }) => column);
  }

  #addWords(parent: IndexedParent): void {
    const { words, table } = parent.column;
    for (const word of new Set([...words, ...table.words])) {
      const users = this.#byWord.get(word) ?? new Set();
      this.#byWord.set(word, users.add(parent));
      const start = word.slice(0, 2);
      const alike = this.#byStart.get(start) ?? new Set();
      this.#byStart.set(start, alike.add(word));
    }
  }

  /** Parents with a word of the child, or one that begins alike, unless many have it. */
  #nearTo({ words }: ColumnFacts): ReadonlySet<IndexedParent> {
    const near = new Set<IndexedParent>();
    for (const word of words) {
      for (const other of this.#byStart.get(word.slice(0, 2)) ?? []) {
        if (other.slice(0, 3) !== word.slice(0, 3) && !mayAbbreviate(word, other)) continue;
        const users = this.#byWord.get(other) ?? new Set();
        if (users.size > Math.max(50, 0.1 * this.#parents.length)) continue;
        for (const parent of users) near.add(parent);
      }
    }
    return near;
  }
}

/** Whether one of two words is so much shorter that it may abbreviate the other. */
function mayAbbreviate(first: string, second: string): boolean {
  return Math.min(first.length, second.length) <= 4;
}

/** Parents with values of one kind. */
class ParentGroup {
  readonly #parents: readonly IndexedParent[];
  /** The numbers of different values, in one array, because most parents are excluded by them. */
  readonly #distinct: Float64Array;

  constructor(parents: readonly IndexedParent[]) {
    this.#parents = parents;
    this.#distinct = Float64Array.from(parents, ({ column }) => column.distinct);
  }

  possibleFor(child: ColumnFacts, probe: ChildProbe): IndexedParent[] {
    const found: IndexedParent[] = [];
    const [first] = this.#parents;
    if (first === undefined || (kindOf(first.column) !== kindOf(child) && !child.integers)) return found;
    const fewest = child.distinct - 0.1 * child.filled;
    for (let at = 0; at < this.#distinct.length; at++) {
      if ((this.#distinct[at] ?? 0) < fewest) continue;
      const parent = this.#parents[at];
      if (parent !== undefined && parent.column !== child && probe.mayBeIn(parent)) found.push(parent);
    }
    return found;
  }
}

function kindOf({ numbers, dates }: ColumnFacts): string {
  return `${numbers} ${dates}`;
}

/** A parent with a filter of its hashes: a hash whose bit is not set is not among them. */
class IndexedParent {
  readonly column: ColumnFacts;
  /** Its place in the order of likelihood. */
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

  /** Whether the hash may be in the sketch. Ask only about hashes up to `limit`. */
  mayHave(hash: number): boolean {
    const bit = hash >>> (32 - filterBits);
    return ((this.#filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
  }
}

/** A child, prepared for the comparison with many parents. */
class ChildProbe {
  readonly #child: ColumnFacts;
  readonly #hashes: readonly number[];
  readonly #counts: readonly number[];
  /** Rows that may have no parent. */
  readonly #mostMissing: number;

  constructor(child: ColumnFacts) {
    this.#child = child;
    this.#hashes = [...child.sketch.hashes.subarray(0, probes)];
    this.#counts = [...child.sketch.counts.subarray(0, probes)];
    this.#mostMissing = 0.1 * child.filled;
  }

  mayBeIn(parent: IndexedParent): boolean {
    const { column, limit } = parent;
    if (!isComparable(this.#child, column) || !withinRange(this.#child, column)) return false;
    let missing = 0;
    for (let at = 0; at < this.#hashes.length; at++) {
      const hash = this.#hashes[at] ?? 0;
      if (hash > limit) return true;
      if (!parent.mayHave(hash)) missing += this.#counts[at] ?? 0;
      if (missing > this.#mostMissing) return false;
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
  return child.range[0] >= parent.range[0] - span && child.range[1] <= parent.range[1] + span;
}
