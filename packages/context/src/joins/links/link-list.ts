import type { OrphanCount } from "../profile.ts";
import type { ColumnFacts } from "../schema-facts.ts";
import type { LinkNames } from "./link-names.ts";

/** A column and another, unique column that contains its values in at least 90 % of its rows. */
export interface LinkCandidate {
  readonly child: ColumnFacts;
  readonly parent: ColumnFacts;
  /** The share of the child's rows that have a value in the parent. */
  readonly covered: number;
  readonly names: LinkNames;
  /** The exact counts, if the sketches were inconclusive. */
  readonly counts?: OrphanCount | undefined;
}

/** The positions of a child's candidates in the list: from `from` up to, but not including, `to`. */
export interface ChildPlaces {
  readonly child: ColumnFacts;
  readonly from: number;
  readonly to: number;
}

/** How many numbers a candidate has: `covered`, and the parts of `names`. */
const width = 8;

/** Candidates in flat arrays, because a large schema has hundreds of thousands. The candidates of one child are adjacent. */
export class LinkList implements Iterable<LinkCandidate> {
  readonly children: ChildPlaces[] = [];
  readonly #byChild = new Map<ColumnFacts, ChildPlaces>();
  readonly #parents: ColumnFacts[] = [];
  readonly #counts = new Map<number, OrphanCount>();
  /** Single precision is enough for shares, and takes half the memory. */
  #numbers = new Float32Array(64 * width);
  #equal = new Uint8Array(64);

  get length(): number {
    return this.#parents.length;
  }

  /** Adds all candidates of a child. */
  add(child: ColumnFacts, candidates: readonly LinkCandidate[]): void {
    if (candidates.length === 0) return;
    const from = this.length;
    for (const candidate of candidates) this.#push(candidate);
    const places = { child, from, to: this.length };
    this.children.push(places);
    this.#byChild.set(child, places);
  }

  placesOf(child: ColumnFacts): ChildPlaces | undefined {
    return this.#byChild.get(child);
  }

  parentAt(place: number): ColumnFacts {
    const parent = this.#parents[place];
    if (parent === undefined) throw new RangeError(`There is no candidate at ${place}.`);
    return parent;
  }

  /** Returns a copy of the candidate at a position. */
  at({ child }: ChildPlaces, place: number): LinkCandidate {
    const number = (at: number) => this.#numbers[place * width + at] ?? 0;
    const names = {
      equal: this.#equal[place] === 1,
      child: number(1),
      table: number(2),
      parent: number(3),
      own: number(4),
      context: number(5),
      ends: number(6),
      score: number(7),
    };
    return { child, parent: this.parentAt(place), covered: number(0), names, counts: this.#counts.get(place) };
  }

  /** Copies of all candidates of a child. */
  of(places: ChildPlaces): readonly LinkCandidate[] {
    return Array.from({ length: places.to - places.from }, (_, at) => this.at(places, places.from + at));
  }

  *[Symbol.iterator](): Generator<LinkCandidate> {
    for (const places of this.children) yield* this.of(places);
  }

  #push({ parent, covered, names, counts }: LinkCandidate): void {
    const place = this.#parents.push(parent) - 1;
    if (place >= this.#equal.length) this.#grow();
    const { child, table, parent: ofParent, own, context, ends, score } = names;
    this.#numbers.set([covered, child, table, ofParent, own, context, ends, score], place * width);
    this.#equal[place] = names.equal ? 1 : 0;
    if (counts !== undefined) this.#counts.set(place, counts);
  }

  #grow(): void {
    const numbers = new Float32Array(2 * this.#numbers.length);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
    const equal = new Uint8Array(2 * this.#equal.length);
    equal.set(this.#equal);
    this.#equal = equal;
  }
}
