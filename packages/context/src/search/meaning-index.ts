/** Searches by meaning, with vectors of the entries' texts that are computed in the background. */
import type { Embedder, Logger } from "@bridle/protocol";
import { getErrorMessage } from "@bridle/protocol";
import { EntryVectors } from "./entry-vectors.ts";
import { VectorIndex } from "./vector-index.ts";
import type { RankedEntry } from "./word-index.ts";

export interface MeaningIndexOptions {
  /** Default: none, so that a search finds nothing. */
  readonly embedder?: Embedder | undefined;
  readonly vectorFile?: string | undefined;
  /** Yields the current texts with the keys of their entries. */
  texts(): Iterable<readonly [key: string, text: string]>;
  /** Returns the current text of an entry. */
  textOf(key: string): string | undefined;
  readonly logger?: Logger | undefined;
}

/** The number of texts to embed before other work of the process gets its turn. */
const batchSize = 96;

export class MeaningIndex {
  readonly #options: MeaningIndexOptions;
  readonly #cache: EntryVectors | undefined;
  readonly #vectors = new VectorIndex();
  readonly #closing = new AbortController();
  #embedding: Promise<void> | undefined;
  #change = 0;
  #embedded: number | undefined;

  constructor(options: MeaningIndexOptions) {
    const { embedder, vectorFile } = options;
    this.#options = options;
    this.#cache = embedder && new EntryVectors(embedder, vectorFile);
  }

  /** Marks the vectors as outdated. Call this after texts have changed. */
  invalidate(): void {
    this.#change += 1;
  }

  delete(key: string): void {
    this.#vectors.delete(key);
  }

  /** Starts an update of outdated vectors. */
  follow(): void {
    if (this.#embedded !== this.#change) void this.update().catch((error: unknown) => this.#warn(error));
  }

  /** Updates the vectors. Rejects with a BridleError if texts cannot be embedded. */
  update(): Promise<void> {
    this.#embedding ??= this.#embedAll().finally(() => {
      this.#embedding = undefined;
    });
    return this.#embedding;
  }

  /** Finds the entries nearest in meaning. Empty if there are no vectors, or if the query cannot be embedded. */
  async find(
    query: string,
    isWanted: (key: string) => boolean,
    { limit, signal }: { readonly limit: number; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly RankedEntry[]> {
    if (this.#cache === undefined || this.#vectors.size === 0 || query.trim() === "") return [];
    try {
      return this.#vectors.search(await this.#cache.embedQuery(query, signal), isWanted, limit);
    } catch (error) {
      signal?.throwIfAborted();
      this.#warn(error);
      return [];
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#embedding?.catch(() => {});
    this.#cache?.close();
  }

  async #embedAll(): Promise<void> {
    const change = this.#change;
    const cache = this.#cache;
    if (cache !== undefined) {
      const wanted = [...this.#options.texts()];
      for (let from = 0; from < wanted.length; from += batchSize)
        await this.#embed(wanted.slice(from, from + batchSize), cache);
    }
    this.#embedded = change;
  }

  async #embed(batch: readonly (readonly [string, string])[], cache: EntryVectors): Promise<void> {
    const vectors = await cache.embed(
      batch.map(([, text]) => text),
      this.#closing.signal,
    );
    for (const [key, text] of batch) {
      const vector = vectors.get(text);
      if (vector && this.#options.textOf(key) === text) this.#vectors.set(key, vector);
    }
  }

  #warn(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    this.#options.logger?.warn({}, `The index of the search could not be updated: ${getErrorMessage(error)}`);
  }
}
