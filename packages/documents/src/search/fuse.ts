/** Merges the results of several searches. Pure. */
import type { RankedChunk } from "../store/document-store.ts";

export interface RankedList {
  readonly found: readonly RankedChunk[];
  readonly weight: number;
}

/**
 * Merges lists by reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009). Because only ranks count, the scores of different searches
 * need not be comparable. The best possible score is 1, for a chunk that is first in every list.
 */
export function fuse(lists: readonly RankedList[], k = 60): readonly RankedChunk[] {
  const best = lists.reduce((sum, { weight }) => sum + weight / (k + 1), 0);
  const scores = new Map<number, number>();
  for (const { found, weight } of lists) {
    for (const [rank, { id }] of found.entries()) scores.set(id, (scores.get(id) ?? 0) + weight / (k + rank + 1));
  }
  return Array.from(scores, ([id, score]) => ({ id, score: score / best })).sort(
    (a, b) => b.score - a.score || a.id - b.id,
  );
}
