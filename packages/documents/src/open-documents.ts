import type { Embedder } from "@bridle/protocol";
import type { ChunkOptions } from "./chunk/chunk-document.ts";
import { DocumentsError } from "./documents-error.ts";
import type { DescribeChunk } from "./indexing/make-chunks.ts";
import { createSharedWork } from "./indexing/shared-work.ts";
import { type IndexedSources, type OnProgress, type UpdateReport, updateIndex } from "./indexing/update-index.ts";
import type { RecordOptions } from "./parse/record-options.ts";
import { embedAll } from "./search/embed.ts";
import { fuse, type RankedList } from "./search/fuse.ts";
import { termsOf } from "./search/terms.ts";
import type { DocumentStore, Found, FoundChunk, IndexedFile, VectorSpace } from "./store/document-store.ts";

export const searchModes = ["keyword", "semantic", "hybrid"] as const;
export type SearchMode = (typeof searchModes)[number];

export interface DocumentsOptions {
  /** Folders, files and globs. */
  readonly sources: readonly string[];
  /** What sources are relative to. */
  readonly baseDir: string;
  /** Closed with the documents. */
  readonly store: DocumentStore;
  readonly searchMode: SearchMode;
  /** Needed for all but a search by words. Closed with the documents. */
  readonly embedder?: Embedder;
  readonly chunking?: ChunkOptions;
  /** What of the records of tables and JSON is read. Default: all. */
  readonly records?: RecordOptions;
  /** Larger files are not read. Default: 50,000,000 bytes. */
  readonly maxFileBytes?: number;
  /** What it says of a part is searched with it. */
  readonly describeChunk?: DescribeChunk;
  /** So many parts of a file are described at once. Default: 4. */
  readonly describeAtOnce?: number;
  /** How much each half counts in a hybrid search. Default: 0.5 each. */
  readonly weights?: { readonly keyword: number; readonly semantic: number };
  /** The constant of reciprocal rank fusion. Default: 60. */
  readonly rrfK?: number;
}

export interface UpdateOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

export interface SearchOptions {
  /** Default: 5. */
  readonly topK?: number;
  /** Hits below it are left out. From 0 to 1. */
  readonly minScore?: number;
  /** Default: that of the documents. */
  readonly mode?: SearchMode;
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
  /** Brings the index to what the sources are now. One in progress is joined, and goes on until nobody waits for it. */
  update(options?: UpdateOptions): Promise<UpdateReport>;
  /** Takes all out of the index, and makes it anew. */
  rebuild(options?: UpdateOptions): Promise<UpdateReport>;
  search(query: string, options?: SearchOptions): Promise<readonly Hit[]>;
  status(): Promise<IndexStatus>;
  /** Stops an update, and lets go of store and embedder. */
  close(): Promise<void>;
}

const defaults = {
  maxFileBytes: 50_000_000,
  describeAtOnce: 4,
  weights: { keyword: 0.5, semantic: 0.5 },
  rrfK: 60,
  topK: 5,
} as const;

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
  requireEmbedder(searchMode, embedder);
  const index = indexOf(options);

  const updating = createSharedWork<UpdateOptions, UpdateReport>((all, signal) =>
    updateIndex(
      index,
      (progress) => {
        for (const { onProgress } of all) onProgress?.(progress);
      },
      signal,
    ),
  );

  async function byMeaning(query: string, limit: number, signal?: AbortSignal): Promise<readonly Found[]> {
    if ((await store.vectorSpace()) === undefined) return [];
    const asker = requireEmbedder("semantic", embedder);
    const { vectors } = await embedAll([query], { embedder: asker, store, ...(signal && { signal }) });
    return vectors[0] === undefined ? [] : store.byVector(vectors[0], limit);
  }

  async function find(query: string, mode: SearchMode, limit: number, signal?: AbortSignal) {
    requireEmbedder(mode, embedder);
    if (mode === "keyword") return store.byTerms(termsOf(query), limit);
    if (mode === "semantic") return byMeaning(query, limit, signal);
    const most = Math.max(limit, leastCandidates);
    const [words, meanings] = await Promise.all([store.byTerms(termsOf(query), most), byMeaning(query, most, signal)]);
    const lists: readonly RankedList[] = [
      { found: words, weight: weights.keyword },
      { found: meanings, weight: weights.semantic },
    ];
    return fuse(lists, rrfK).slice(0, limit);
  }

  return {
    update: (updateOptions = {}) => updating.join(updateOptions),
    async rebuild(updateOptions = {}) {
      await updating.settled();
      await store.clear();
      return updating.join(updateOptions);
    },
    async search(query, { topK = defaults.topK, minScore = 0, mode = searchMode, signal } = {}) {
      if (query.trim() === "") throw new DocumentsError("The query is empty. Say what to look for.");
      const found = (await find(query, mode, topK, signal)).filter(({ score }) => score >= minScore);
      const scores = new Map(found.map(({ id, score }) => [id, score]));
      return (await store.read(found.map(({ id }) => id))).map((chunk) => ({
        ...chunk,
        score: scores.get(chunk.id) ?? 0,
      }));
    },
    status: () => indexStatus(store),
    async close() {
      await updating.stop();
      await store.close();
      await embedder?.close();
    },
  };
}

/** What an index holds now, without a look at the sources. */
export async function indexStatus(store: DocumentStore): Promise<IndexStatus> {
  const [files, vectors] = await Promise.all([store.files(), store.vectorSpace()]);
  const chunks = files.reduce((sum, file) => sum + file.chunks, 0);
  return { files, chunks, ...(vectors && { vectors }) };
}

function indexOf(options: DocumentsOptions): IndexedSources {
  const { maxFileBytes, describeAtOnce } = defaults;
  return { maxFileBytes, describeAtOnce, ...options, chunking: options.chunking ?? {}, records: options.records ?? {} };
}

/** An index without vectors may have them in another process; to look for them needs one that makes them. */
function requireEmbedder(mode: "semantic", embedder: Embedder | undefined): Embedder;
function requireEmbedder(mode: SearchMode, embedder: Embedder | undefined): Embedder | undefined;
function requireEmbedder(mode: SearchMode, embedder: Embedder | undefined): Embedder | undefined {
  if (mode === "keyword" || embedder !== undefined) return embedder;
  throw new DocumentsError(
    `A ${mode} search needs vectors, and no embeddings are configured. Set embedding_provider, or search_mode: keyword.`,
  );
}
