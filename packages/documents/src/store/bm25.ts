/** Ranks chunks, for both stores. Pure. */

/** The constants of BM25 in SQLite's FTS5. */
export const bm25 = { k1: 1.2, b: 0.75 } as const;

/** Returns the weight of a term that occurs in `documents` of `all` documents. Source: the documentation of FTS5, "The bm25() function". */
function inverseFrequency(documents: number, all: number): number {
  return Math.max(Math.log((all - documents + 0.5) / (documents + 0.5)), minInverseFrequency);
}

export const minInverseFrequency = 1e-6;

/** Whether a term is so frequent that it has the lowest weight. Such a weight only breaks ties. */
export function hasNoWeight(documents: number, all: number): boolean {
  return inverseFrequency(documents, all) === minInverseFrequency;
}

/**
 * Returns the upper bound of a score: the score of a chunk with infinitely many occurrences of each term. `counts` has the number of chunks
 * with each term.
 */
export function maxScore(counts: readonly number[], all: number): number {
  return counts.reduce(
    (sum, documents) => sum + (documents === 0 ? 0 : inverseFrequency(documents, all) * (bm25.k1 + 1)),
    0,
  );
}
