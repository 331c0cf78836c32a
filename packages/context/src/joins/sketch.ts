import type { ValueSketch } from "./profile.ts";

/** The maximum number of hashes in a sketch. */
export const sketchSize = 1024;

/** Returns a string for comparing values of different types and spellings; undefined for a missing or blank value. */
export function canonicalValue(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (value instanceof Uint8Array) return `x${Buffer.from(value).toString("hex")}`;
  if (typeof value === "bigint") return String(value);
  const text = String(value).trim();
  if (text === "") return undefined;
  const first = text.charCodeAt(0);
  if (first > 57 || (first < 48 && first !== 43 && first !== 45)) return text; // it begins with neither a digit nor a sign
  return /^[+-]?(0|[1-9]\d{0,14})(\.0+)?$/.test(text) ? String(Number(text)) : text;
}

/** Keeps the 1,024 values with the smallest hashes. `counts` has the number of rows with each canonical value. */
export function sketchValues(counts: ReadonlyMap<string, number>): ValueSketch {
  const entries = [...counts].map(([value, count]) => [hashValue(value), count] as const).sort(([a], [b]) => a - b);
  const kept = entries.slice(0, sketchSize);
  return {
    hashes: Uint32Array.from(kept, ([hash]) => shortHash(hash)),
    counts: Uint32Array.from(kept, ([, count]) => count),
    complete: entries.length <= sketchSize,
  };
}

/** The sketch of a column with values that must not be kept. */
export const emptySketch: ValueSketch = { hashes: new Uint32Array(), counts: new Uint32Array(), complete: false };

/** Returns 32 bits of a hash from `hashValue`. The order of hashes stays the same. */
export function shortHash(hash: number): number {
  return Math.floor(hash * 2 ** 32);
}

/** The share of a child's values that a parent contains, as far as the two sketches show it. */
export interface Inclusion {
  /** The share of the different values. */
  readonly values: number;
  /** The share of the rows. */
  readonly rows: number;
  /** The number of different values that could be compared. */
  readonly compared: number;
}

/**
 * Compares the hashes that would be in both sketches if the values were in both columns. Ends early when more rows than `maxMissing` have
 * no parent, or after comparing `maxCompared` hashes.
 */
export function compareSketches(
  child: ValueSketch,
  parent: ValueSketch,
  maxMissing = Number.POSITIVE_INFINITY,
  maxCompared = Number.POSITIVE_INFINITY,
): Inclusion {
  const limit = sketchLimit(parent);
  let at = 0;
  let compared = 0;
  let found = 0;
  let rows = 0;
  let foundRows = 0;
  for (let index = 0; index < child.hashes.length; index++) {
    const hash = child.hashes[index] ?? 0;
    if (hash > limit || rows - foundRows > maxMissing || compared >= maxCompared) break;
    while ((parent.hashes[at] ?? 2 ** 33) < hash) at++;
    const same = parent.hashes[at] === hash;
    const count = child.counts[index] ?? 0;
    compared++;
    rows += count;
    if (same) found++;
    if (same) foundRows += count;
  }
  return { values: compared ? found / compared : 0, rows: rows ? foundRows / rows : 0, compared };
}

/** Returns the greatest hash that a sketch would contain if the column had the value. */
export function sketchLimit({ hashes, complete }: ValueSketch): number {
  return complete ? 2 ** 32 : (hashes.at(-1) ?? 0);
}

/** Returns 53 bits of two 32-bit multiplicative hashes, as a fraction from 0 to 1. */
export function hashValue(value: string): number {
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x5bd1e995);
    low ^= low >>> 13;
  }
  const mixedHigh = mix(high ^ value.length);
  const mixedLow = mix(low ^ mixedHigh);
  return (mixedHigh * 0x200000 + (mixedLow >>> 11)) / 2 ** 53;
}

function mix(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
