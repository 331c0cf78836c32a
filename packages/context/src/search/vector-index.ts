import type { RankedEntry } from "./word-index.ts";

/** Unit vectors of entries in memory. */
export class VectorIndex {
  readonly #vectors = new Map<string, Float32Array>();

  get size(): number {
    return this.#vectors.size;
  }

  set(key: string, vector: Float32Array): void {
    this.#vectors.set(key, vector);
  }

  delete(key: string): void {
    this.#vectors.delete(key);
  }

  /** Finds the entries nearest in meaning, best first. The score is the cosine. */
  search(query: Float32Array, isWanted: (key: string) => boolean, limit: number): RankedEntry[] {
    const scored = Array.from(this.#vectors, ([key, vector]) => ({ key, score: product(query, vector) }));
    return scored
      .filter(({ key, score }) => score > 0 && isWanted(key))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
