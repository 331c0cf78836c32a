import type { JoinSteps } from "../join-steps.ts";
import type { ValueSketch } from "../profile.ts";

/** The position of a parent, at most two million, is in the low bits of an entry. */
const places = 2 ** 21;

/** Entries are sorted in parts, by the first bits of their hashes, so that other work of the process does not wait long. */
const partBits = 5;

/** Finds the sketches that contain a hash. The sketches are numbered by their position in the list. */
export class ParentPostings {
  /** Hashes with the number of the sketch, ascending. */
  readonly #entries: Float64Array;

  private constructor(entries: Float64Array) {
    this.#entries = entries;
  }

  static async create(sketches: readonly ValueSketch[], steps: JoinSteps): Promise<ParentPostings> {
    const starts = countParts(sketches);
    const entries = new Float64Array(starts.at(-1) ?? 0);
    const ends = starts.slice();
    for (const [number, { hashes }] of sketches.entries()) {
      for (const hash of hashes) {
        const part = hash >>> (32 - partBits);
        const at = ends[part] ?? 0;
        entries[at] = hash * places + number;
        ends[part] = at + 1;
      }
    }
    for (let part = 0; part < 2 ** partBits; part++) {
      entries.subarray(starts[part], starts[part + 1]).sort();
      const pause = steps.pause();
      if (pause !== undefined) await pause;
    }
    return new ParentPostings(entries);
  }

  /** Returns the sketches with at least one of the hashes, ascending; undefined if the hashes have more than `max` entries in total. */
  withAny(hashes: Iterable<number>, max: number): readonly number[] | undefined {
    const parts = Array.from(hashes, (hash) => [this.#firstFrom(hash * places), this.#firstFrom((hash + 1) * places)]);
    if (parts.reduce((sum, [from = 0, to = 0]) => sum + to - from, 0) > max) return undefined;
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

/** Returns the position of the first entry of each part, and the total number of entries. */
function countParts(sketches: readonly ValueSketch[]): Uint32Array {
  const starts = new Uint32Array(2 ** partBits + 1);
  for (const { hashes } of sketches) {
    for (const hash of hashes) {
      const part = (hash >>> (32 - partBits)) + 1;
      starts[part] = (starts[part] ?? 0) + 1;
    }
  }
  for (let part = 1; part < starts.length; part++) starts[part] = (starts[part] ?? 0) + (starts[part - 1] ?? 0);
  return starts;
}
