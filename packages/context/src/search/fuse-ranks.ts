import type { RankedEntry } from "./word-index.ts";

/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009). */
const constant = 60;

/** Merges lists by their ranks, because scores of words and of vectors are not comparable. Pure. */
export function fuseRanks(lists: readonly (readonly RankedEntry[])[]): readonly RankedEntry[] {
  const scores = new Map<string, number>();
  for (const list of lists) {
    for (const [rank, { key }] of list.entries()) scores.set(key, (scores.get(key) ?? 0) + 1 / (constant + rank + 1));
  }
  return Array.from(scores, ([key, score]) => ({ key, score })).sort(
    (a, b) => b.score - a.score || (a.key < b.key ? -1 : 1),
  );
}
