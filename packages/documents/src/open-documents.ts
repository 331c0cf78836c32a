import type { Embedder } from "@bridle/core";
import type { ChunkOptions } from "./chunk/chunk-document.ts";
import { DocumentsError } from "./documents-error.ts";
import { embedAll } from "./search/embed.ts";
import { fuse, type RankedList } from "./search/fuse.ts";
import { termsOf } from "./search/terms.ts";
import type { Found, FoundChunk, IndexedFile, VectorSpace } from "./store/document-store.ts";
import { type IndexedSources, type UpdateOptions, type UpdateReport, updateIndex } from "./update-index.ts";

export const searchModes = ["keyword", "semantic", "hybrid"] as const;
export type SearchMode = (typeof searchModes)[number];

export interface DocumentsOptions extends Omit<IndexedSources, "chunking" | "maxFileBytes"> {
  readonly searchMode: SearchMode;
  readonly chunking?: ChunkOptions;
  /** Larger files are not read. Default: 50,000,000 bytes. */
  readonly maxFileBytes?: number;
  /** How much each half counts in a hybrid search. Default: 0.5 each. */
  readonly weights?: { readonly keyword: number; readonly semantic: number };
  /** The constant of reciprocal rank fusion. Default: 60. */
  readonly rrfK?: number;
}

export interface SearchOptions {
  /** Default: 5. */
  readonly topK?: number;
  /** Hits below it are left out. From 0 to 1. */
  readonly minScore?: number;
  readonly signal?: AbortSignal;
}

/** A part that was found; its score is from 0 to 1, and means the same for every query of one mode. */
export interface Hit extends FoundChunk {
  readonly score: number;
}

export interface IndexStatus {
  readonly files: readonly IndexedFile[];
  readonly chunks: number;
  readonly vectors?: VectorSpace;
}

/** Documents that can be searched. All of it rejects with an Error whose message is a sentence with the way out. */
export interface Documents {
  /** Brings the index to what the sources are now; an update in progress is joined. */
  update(options?: UpdateOptions): Promise<UpdateReport>;
  /** Takes all out of the index, and makes it anew. */
  rebuild(options?: UpdateOptions): Promise<UpdateReport>;
  search(query: string, options?: SearchOptions): Promise<readonly Hit[]>;
  status(): Promise<IndexStatus>;
  close(): Promise<void>;
}

const defaults = { maxFileBytes: 50_000_000, weights: { keyword: 0.5, semantic: 0.5 }, rrfK: 60, topK: 5 } as const;

/** Of each half so many are fused, at least. */
const leastCandidates = 50;

/**
 * Opens documents. Nothing is read before `update`.
 * Throws DocumentsError where vectors are needed and nobody makes them.
 *
 * @example
 * const documents = openDocuments({ sources: ["docs/"], baseDir, store: openSqliteStore(file), searchMode: "keyword" });
 * await documents.update();
 * const hits = await documents.search("How do I return an order?");
 */
export function openDocuments(options: DocumentsOptions): Documents {
  const { store, searchMode, embedder, weights = defaults.weights, rrfK = defaults.rrfK } = options;
  const needed = requireEmbedder(options);
  const index: IndexedSources = {
    ...options,
    chunking: options.chunking ?? {},
    maxFileBytes: options.maxFileBytes ?? defaults.maxFileBytes,
  };

  let updating: Promise<UpdateReport> | undefined;

  function update(updateOptions?: UpdateOptions): Promise<UpdateReport> {
    updating ??= updateIndex(index, updateOptions).finally(() => {
      updating = undefined;
    });
    return updating;
  }

  async function byMeaning(query: string, limit: number, signal?: AbortSignal): Promise<readonly Found[]> {
    if (needed === undefined || (await store.files()).length === 0) return [];
    const [vector] = await embedAll([query], { embedder: needed, store, ...(signal && { signal }) });
    return vector === undefined ? [] : store.byVector(vector, limit);
  }

  async function find(query: string, limit: number, signal?: AbortSignal): Promise<readonly Found[]> {
    if (searchMode === "keyword") return store.byTerms(termsOf(query), limit);
    if (searchMode === "semantic") return byMeaning(query, limit, signal);
    const most = Math.max(limit, leastCandidates);
    const lists: readonly RankedList[] = [
      { found: await store.byTerms(termsOf(query), most), weight: weights.keyword },
      { found: await byMeaning(query, most, signal), weight: weights.semantic },
    ];
    return fuse(lists, rrfK).slice(0, limit);
  }

  return {
    update,
    async rebuild(updateOptions) {
      await updating?.catch(() => {}); // whoever asked for it is told
      await store.remove((await store.files()).map(({ name }) => name));
      await store.setVectorSpace(undefined);
      return update(updateOptions);
    },
    async search(query, { topK = defaults.topK, minScore = 0, signal } = {}) {
      if (query.trim() === "") throw new DocumentsError("The query is empty. Say what to look for.");
      const found = (await find(query, topK, signal)).filter(({ score }) => score >= minScore);
      const scores = new Map(found.map(({ id, score }) => [id, score]));
      return (await store.read(found.map(({ id }) => id))).map((chunk) => ({
        ...chunk,
        score: scores.get(chunk.id) ?? 0,
      }));
    },
    async status() {
      const [files, vectors] = [await store.files(), await store.vectorSpace()];
      const chunks = files.reduce((sum, file) => sum + file.chunks, 0);
      return { files, chunks, ...(vectors && { vectors }) };
    },
    async close() {
      await store.close();
      await embedder?.close();
    },
  };
}

function requireEmbedder({ searchMode, embedder }: DocumentsOptions): Embedder | undefined {
  if (searchMode === "keyword" || embedder !== undefined) return embedder;
  throw new DocumentsError(
    `A ${searchMode} search needs vectors, and no embeddings are configured. Set embedding_provider, or search_mode: keyword.`,
  );
}
