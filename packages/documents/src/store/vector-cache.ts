import type { DatabaseSync } from "node:sqlite";
import type { RankedChunk } from "./document-store.ts";

/**
 * All vectors of an index in memory, because reading vectors for each query takes longer than comparing them. The cache reads the vectors
 * again when the file has changed.
 */
export class VectorCache {
  readonly #database: DatabaseSync;
  #version = "";
  #ids: readonly number[] = [];
  #matrix = new Float32Array();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Returns the chunks with the nearest vectors by cosine similarity, nearest first. */
  nearest(vector: Float32Array, limit: number): RankedChunk[] {
    this.#load(vector.length);
    return this.#ids
      .map((id, index) => ({ id, score: Math.max(dot(this.#matrix, index * vector.length, vector), 0) }))
      .sort((a, b) => b.score - a.score || a.id - b.id)
      .slice(0, limit);
  }

  #load(dimensions: number): void {
    const version = this.#currentVersion();
    if (version === this.#version) return;
    const rows = this.#database.prepare("SELECT chunk AS id, vector FROM vectors ORDER BY chunk").all();
    this.#ids = rows.map(({ id }) => Number(id));
    this.#matrix = new Float32Array(rows.length * dimensions);
    const bytes = new Uint8Array(this.#matrix.buffer);
    for (const [index, { vector }] of rows.entries()) {
      if (vector instanceof Uint8Array) bytes.set(vector, index * dimensions * 4);
    }
    this.#version = version;
  }

  /** Returns a string that changes whenever this connection or another one changes the file. */
  #currentVersion(): string {
    const others = this.#database.prepare("PRAGMA data_version").get()?.data_version;
    const own = this.#database.prepare("SELECT total_changes() AS n").get()?.n;
    return `${others} ${own}`;
  }
}

function dot(matrix: Float32Array, offset: number, vector: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < vector.length; index++) sum += (matrix[offset + index] ?? 0) * (vector[index] ?? 0);
  return sum;
}
