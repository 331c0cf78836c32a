import type { DatabaseSync } from "node:sqlite";
import type { Found } from "./document-store.ts";

/** All vectors of an index in memory, read anew when the file has changed: to read them for each query takes longer than to compare. */
export function createVectorCache(database: DatabaseSync): { nearest(vector: Float32Array, limit: number): Found[] } {
  let version = "";
  let ids: number[] = [];
  let matrix = new Float32Array();

  /** Of this connection and of all others. */
  function currentVersion(): string {
    const others = database.prepare("PRAGMA data_version").get()?.data_version;
    const own = database.prepare("SELECT total_changes() AS n").get()?.n;
    return `${others} ${own}`;
  }

  function load(dimensions: number): void {
    const now = currentVersion();
    if (now === version) return;
    const rows = database.prepare("SELECT chunk AS id, vector FROM vectors ORDER BY chunk").all();
    ids = rows.map(({ id }) => Number(id));
    matrix = new Float32Array(rows.length * dimensions);
    const bytes = new Uint8Array(matrix.buffer);
    for (const [index, { vector }] of rows.entries()) {
      if (vector instanceof Uint8Array) bytes.set(vector, index * dimensions * 4);
    }
    version = now;
  }

  return {
    nearest(vector, limit) {
      load(vector.length);
      return ids
        .map((id, index) => ({ id, score: Math.max(dot(matrix, index * vector.length, vector), 0) }))
        .sort((a, b) => b.score - a.score || a.id - b.id)
        .slice(0, limit);
    },
  };
}

function dot(matrix: Float32Array, offset: number, vector: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < vector.length; index++) sum += (matrix[offset + index] ?? 0) * (vector[index] ?? 0);
  return sum;
}
