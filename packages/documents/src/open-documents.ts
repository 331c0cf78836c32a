import type { Embedder } from "@bridle/protocol";
import type { ChunkOptions } from "./chunk/chunk-document.ts";
import { DocumentsError } from "./documents-error.ts";
import type { DescribeChunk } from "./indexing/make-chunks.ts";
import { type ReportedFile, reportEmpty, reportFile } from "./indexing/reported-file.ts";
import { SharedWork } from "./indexing/shared-work.ts";
import { type IndexedSources, type OnProgress, type UpdateReport, updateIndex } from "./indexing/update-index.ts";
import type { RecordOptions } from "./parse/record-options.ts";
import type { ReaderLimits } from "./reading/reader-limits.ts";
import { embedAll } from "./search/embed.ts";
import { fuse } from "./search/fuse.ts";
import { termsOf } from "./search/terms.ts";
import type { DocumentStore, FoundChunk, IndexedFile, RankedChunk, VectorSpace } from "./store/document-store.ts";

export const searchModes = ["keyword", "semantic", "hybrid"] as const;
export type SearchMode = (typeof searchModes)[number];

export interface DocumentsOptions {
  /** The folders, files and globs to search. */
  readonly sources: readonly string[];
  /** Relative sources are resolved against this folder. */
  readonly baseDir: string;
  /** The index, which is closed with the documents. */
  readonly store: DocumentStore;
  readonly searchMode: SearchMode;
  /** Required for every mode except `keyword`. Closed with the documents. */
  readonly embedder?: Embedder | undefined;
  readonly chunking?: ChunkOptions | undefined;
  /** Selects the fields to read in the records of tables and JSON. Default: all. */
  readonly records?: RecordOptions | undefined;
  /** The maximum size of a file. Larger files are not read. Default: 50,000,000 bytes. */
  readonly maxFileBytes?: number | undefined;
  /** The maximum time and memory for reading one file. Default: 30 seconds and 1 GB of memory; more for files of many megabytes. */
  readonly limits?: Partial<ReaderLimits> | undefined;
  /** Describes each chunk. Searches match the description together with the chunk. */
  readonly describeChunk?: DescribeChunk | undefined;
  /** The number of a file's chunks that are described at the same time. Default: 4. */
  readonly describeAtOnce?: number | undefined;
  /** The weight of each half of a hybrid search. Default: 0.5 each. */
  readonly weights?: { readonly keyword: number; readonly semantic: number } | undefined;
  /** The constant of reciprocal rank fusion. Default: 60. */
  readonly rrfK?: number | undefined;
}

export interface UpdateOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export interface SearchOptions {
  /** The maximum number of hits. Default: 5. */
  readonly topK?: number | undefined;
  /** The minimum score of a hit, from 0 to 1. */
  readonly minScore?: number | undefined;
  /** The search mode. Default: the mode of the documents. */
  readonly mode?: SearchMode | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A search result. The score is from 0 to 1, and comparable between queries of one mode. */
export interface Hit extends FoundChunk {
  readonly score: number;
}

export interface IndexStatus {
  readonly files: readonly IndexedFile[];
  readonly chunks: number;
  readonly vectors?: VectorSpace;
  /** The files that the last update could not read. The index may still contain their earlier contents. */
  readonly failed: readonly ReportedFile[];
  /** Files that the last update skipped because they are not documents or have no text. */
  readonly skipped: readonly ReportedFile[];
  /** Indexed documents with skipped or doubtful content, such as an uncertain encoding. */
  readonly warnings: readonly ReportedFile[];
}

/** Searchable documents. Methods reject with an Error whose message contains the reason and the remedy. */
export interface Documents {
  /** Updates the index to the current sources. If an update is in progress, joins it. An update runs as long as a caller waits for it. */
  update(options?: UpdateOptions): Promise<UpdateReport>;
  /** Empties the index and builds it again. */
  rebuild(options?: UpdateOptions): Promise<UpdateReport>;
  search(query: string, options?: SearchOptions): Promise<readonly Hit[]>;
  status(): Promise<IndexStatus>;
  /** Stops an update, and closes the store and the embedder. */
  close(): Promise<void>;
}

const defaultTopK = 5;
const defaultRrfK = 60;
const defaultWeights = { keyword: 0.5, semantic: 0.5 } as const;

/** The minimum number of candidates from each half of a hybrid search. */
const minCandidates = 50;

/**
 * Opens documents. Reads nothing before `update`.
 *
 * @throws DocumentsError if the mode needs vectors and no embedder is given.
 *
 * @example
 * const documents = openDocuments({ sources: ["docs/"], baseDir, store: openSqliteStore(file), searchMode: "keyword" });
 * await documents.update();
 * const hits = await documents.search("How do I return an order?");
 */
export function openDocuments(options: DocumentsOptions): Documents {
  requireEmbedder(options.searchMode, options.embedder);
  return new IndexedDocuments(options);
}

class IndexedDocuments implements Documents {
  readonly #options: DocumentsOptions;
  readonly #updating: SharedWork<UpdateOptions, UpdateReport>;

  constructor(options: DocumentsOptions) {
    this.#options = options;
    const index = toIndexedSources(options);
    this.#updating = new SharedWork((waiters, signal) => updateIndex(index, notifyAll(waiters), signal));
  }

  update(options: UpdateOptions = {}): Promise<UpdateReport> {
    return this.#updating.join(options);
  }

  async rebuild(options: UpdateOptions = {}): Promise<UpdateReport> {
    await this.#updating.settled();
    await this.#options.store.clear();
    return this.#updating.join(options);
  }

  async search(query: string, options: SearchOptions = {}): Promise<readonly Hit[]> {
    const { topK = defaultTopK, minScore = 0, mode = this.#options.searchMode, signal } = options;
    if (query.trim() === "") throw new DocumentsError("The query is empty. Write what to search for.");
    const found = (await this.#find(query, mode, topK, signal)).filter(({ score }) => score >= minScore);
    const scores = new Map(found.map(({ id, score }) => [id, score]));
    const chunks = await this.#options.store.read(found.map(({ id }) => id));
    return chunks.map((chunk) => ({ ...chunk, score: scores.get(chunk.id) ?? 0 }));
  }

  status(): Promise<IndexStatus> {
    return indexStatus(this.#options.store);
  }

  async close(): Promise<void> {
    const { store, embedder } = this.#options;
    await this.#updating.stop();
    await store.close();
    await embedder?.close();
  }

  async #find(query: string, mode: SearchMode, limit: number, signal?: AbortSignal): Promise<readonly RankedChunk[]> {
    const { store, embedder } = this.#options;
    requireEmbedder(mode, embedder);
    if (mode === "keyword") return store.byTerms(termsOf(query), limit);
    if (mode === "semantic") return this.#byMeaning(query, limit, signal);
    return this.#hybrid(query, limit, signal);
  }

  async #hybrid(query: string, limit: number, signal?: AbortSignal): Promise<readonly RankedChunk[]> {
    const { store, weights = defaultWeights, rrfK = defaultRrfK } = this.#options;
    const candidates = Math.max(limit, minCandidates);
    const [byTerms, byMeaning] = await Promise.all([
      store.byTerms(termsOf(query), candidates),
      this.#byMeaning(query, candidates, signal),
    ]);
    const lists = [
      { found: byTerms, weight: weights.keyword },
      { found: byMeaning, weight: weights.semantic },
    ];
    return fuse(lists, rrfK).slice(0, limit);
  }

  async #byMeaning(query: string, limit: number, signal?: AbortSignal): Promise<readonly RankedChunk[]> {
    const { store } = this.#options;
    if ((await store.vectorSpace()) === undefined) return [];
    const embedder = requireEmbedder("semantic", this.#options.embedder);
    const { vectors } = await embedAll([query], { embedder, store, signal });
    return vectors[0] === undefined ? [] : store.byVector(vectors[0], limit);
  }
}

/** Returns the content of an index, without reading the sources. */
export async function indexStatus(store: DocumentStore): Promise<IndexStatus> {
  const [files, vectors, leftOut, warnings] = await Promise.all([
    store.files(),
    store.vectorSpace(),
    store.leftOut(),
    store.warnings(),
  ]);
  const chunks = files.reduce((sum, file) => sum + file.chunks, 0);
  const empty = files.filter((file) => file.chunks === 0).map(({ name }) => reportEmpty(name));
  const { failed = [], skipped = [] } = Object.groupBy(leftOut, ({ kind }) => kind);
  return {
    files,
    chunks,
    ...(vectors && { vectors }),
    failed: failed.map(reportFile),
    skipped: [...skipped.map(reportFile), ...empty].sort((a, b) => (a.file < b.file ? -1 : 1)),
    warnings: warnings.map(reportFile),
  };
}

function toIndexedSources(options: DocumentsOptions): IndexedSources {
  const { maxFileBytes = 50_000_000, describeAtOnce = 4, chunking = {}, records = {} } = options;
  return { ...options, maxFileBytes, describeAtOnce, chunking, records };
}

function notifyAll(waiters: ReadonlySet<UpdateOptions>): OnProgress {
  return (progress) => {
    for (const { onProgress } of waiters) onProgress?.(progress);
  };
}

/** Throws if there is no embedder. Checked for each search, because another process may have built the index with vectors. */
function requireEmbedder(mode: "semantic", embedder: Embedder | undefined): Embedder;
function requireEmbedder(mode: SearchMode, embedder: Embedder | undefined): Embedder | undefined;
function requireEmbedder(mode: SearchMode, embedder: Embedder | undefined): Embedder | undefined {
  if (mode === "keyword" || embedder !== undefined) return embedder;
  throw new DocumentsError(
    `A ${mode} search needs vectors, but no embeddings are configured. Set embedding_provider, or search_mode: keyword.`,
  );
}
