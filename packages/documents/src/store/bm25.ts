/** The measure of both stores. Pure. */

/** The constants of BM25, as SQLite's FTS5 has them. */
export const bm25 = { k1: 1.2, b: 0.75 } as const;

/** How much a term tells that `documents` of `all` have. Source: the documentation of FTS5, "The bm25() function". */
function inverseFrequency(documents: number, all: number): number {
  return Math.max(Math.log((all - documents + 0.5) / (documents + 0.5)), leastFrequency);
}

export const leastFrequency = 1e-6;

/** What a chunk could reach that holds each of the terms without end; `having` says how many chunks have each. */
export function mostOf(having: readonly number[], all: number): number {
  return having.reduce(
    (sum, documents) => sum + (documents === 0 ? 0 : inverseFrequency(documents, all) * (bm25.k1 + 1)),
    0,
  );
}
