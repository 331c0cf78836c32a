import type { ValueSketch } from "../profile.ts";

/** A parent's place, of at most two million, is in the low bits of an entry. */
const places = 2 ** 21;

/** Which sketches contain a hash. The sketches are numbered by their place in the list. */
export class ParentPostings {
  /** Hashes with the number of the sketch, ascending. */
  readonly #entries: Float64Array;

  constructor(sketches: readonly ValueSketch[]) {
    this.#entries = new Float64Array(sketches.reduce((sum, { hashes }) => sum + hashes.length, 0));
    let at = 0;
    for (const [number, { hashes }] of sketches.entries()) {
      for (const hash of hashes) this.#entries[at++] = hash * places + number;
    }
    this.#entries.sort();
  }

  /** The sketches with at least one of the hashes, ascending, or undefined if they would be more than `most`, counted for each hash. */
  withAny(hashes: Iterable<number>, most: number): readonly number[] | undefined {
    const parts = Array.from(hashes, (hash) => [this.#firstFrom(hash * places), this.#firstFrom((hash + 1) * places)]);
    if (parts.reduce((sum, [from = 0, to = 0]) => sum + to - from, 0) > most) return undefined;
    const found = new Set<number>();
    for (const [from = 0, to = 0] of parts) {
      for (let at = from; at < to; at++) found.add((this.#entries[at] ?? 0) % places);
    }
    return [...found].sort((a, b) => a - b);
  }

  #firstFrom(entry: number): number {
    let [from, to] = [0, this.#entries.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#entries[middle] ?? 0) < entry) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
