/** Several lists of what was found, made one. Pure. */
import type { Found } from "../store/document-store.ts";

export interface RankedList {
  readonly found: readonly Found[];
  readonly weight: number;
}

/**
 * Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): of each list only the places count, so that scores of
 * different kinds need no common measure. A score is a share: 1 is the first of every list.
 */
export function fuse(lists: readonly RankedList[], k = 60): readonly Found[] {
  const best = lists.reduce((sum, { weight }) => sum + weight / (k + 1), 0);
  const scores = new Map<number, number>();
  for (const { found, weight } of lists) {
    for (const [place, { id }] of found.entries()) scores.set(id, (scores.get(id) ?? 0) + weight / (k + place + 1));
  }
  return Array.from(scores, ([id, score]) => ({ id, score: score / best })).sort(
    (a, b) => b.score - a.score || a.id - b.id,
  );
}
