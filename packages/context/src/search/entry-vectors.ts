import type { DatabaseSync } from "node:sqlite";
import { StateFile, sha256 } from "@bridle/core";
import type { Embedder } from "@bridle/protocol";
import { FactsError } from "../facts/facts-errors.ts";

/** The number of texts that are embedded with one request. */
const textsPerRequest = 96;

const vectorsState = new StateFile({
  formats: ["CREATE TABLE vectors (key TEXT PRIMARY KEY, vector BLOB NOT NULL) STRICT"],
  isUnnumbered: true,
  subject: "The vectors in",
  isPlural: true,
  again: "search again",
  error: FactsError,
});

/** Vectors in a file, by the model and the text, so that no text is embedded twice. */
export class EntryVectors {
  readonly #database: DatabaseSync;
  readonly #embedder: Embedder;

  /** Without a file, the vectors stay in memory. Throws FactsError if the file cannot be used. */
  constructor(embedder: Embedder, file?: string) {
    this.#embedder = embedder;
    this.#database = vectorsState.open(file);
  }

  /** Returns the unit vectors of texts. Rejects with the embedder's BridleError. */
  async embed(texts: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, Float32Array>> {
    const vectors = new Map<string, Float32Array>();
    for (const text of new Set(texts)) {
      const vector = this.#read(text);
      if (vector) vectors.set(text, vector);
    }
    const missing = [...new Set(texts)].filter((text) => !vectors.has(text));
    for (let from = 0; from < missing.length; from += textsPerRequest) {
      const batch = missing.slice(from, from + textsPerRequest);
      const embedded = await this.#embedder.embed(batch, { ...(signal && { signal }) });
      for (const [index, text] of batch.entries()) {
        const vector = toUnit(embedded.vectors[index] ?? new Float32Array());
        this.#write(text, vector);
        vectors.set(text, vector);
      }
    }
    return vectors;
  }

  /** Returns the unit vector of a query, without storing it. Rejects with the embedder's BridleError. */
  async embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> {
    const { vectors } = await this.#embedder.embed([text], { ...(signal && { signal }) });
    return toUnit(vectors[0] ?? new Float32Array());
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #key(text: string): string {
    return sha256(JSON.stringify([this.#embedder.id, this.#embedder.model, text]));
  }

  #read(text: string): Float32Array | undefined {
    const row = this.#database.prepare("SELECT vector FROM vectors WHERE key = ?").get(this.#key(text));
    const bytes = row?.vector;
    return bytes instanceof Uint8Array ? new Float32Array(Uint8Array.from(bytes).buffer) : undefined;
  }

  #write(text: string, vector: Float32Array): void {
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
    this.#database.prepare("INSERT OR REPLACE INTO vectors VALUES (?, ?)").run(this.#key(text), bytes);
  }
}

function toUnit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
