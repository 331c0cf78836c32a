import type { RankedEntry, WordHit } from "./word-index.ts";

/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009). */
const constant = 60;

/**
 * Merges the results found by words and by vectors by rank, because their scores are not comparable. Entries that have all words of the
 * query come first, in the order of the word search. Vectors thus add results without pushing these back. Pure.
 */
export function fuseRanks(words: readonly WordHit[], near: readonly RankedEntry[]): readonly RankedEntry[] {
  const complete = words.filter(({ isComplete }) => isComplete);
  const first = new Set(complete.map(({ key }) => key));
  const rest = mergeRanks([words, near].map((list) => list.filter(({ key }) => !first.has(key))));
  return [...complete.map(({ key }, rank) => ({ key, score: 1 + 1 / (constant + rank + 1) })), ...rest];
}

function mergeRanks(lists: readonly (readonly RankedEntry[])[]): readonly RankedEntry[] {
  const scores = new Map<string, number>();
  for (const list of lists) {
    for (const [rank, { key }] of list.entries()) scores.set(key, (scores.get(key) ?? 0) + 1 / (constant + rank + 1));
  }
  return Array.from(scores, ([key, score]) => ({ key, score })).sort(
    (a, b) => b.score - a.score || (a.key < b.key ? -1 : 1),
  );
}
