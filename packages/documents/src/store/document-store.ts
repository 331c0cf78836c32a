/** Where an index is kept. `testDocumentStore` states what holds of every store. */
import type { Chunk } from "../chunk/chunk-document.ts";

/** A part of a file, as it is kept. */
export interface StoredChunk extends Chunk {
  /** What a model said the part is about, put before it for search only. */
  readonly context?: string;
  /** Of length 1. Missing where the index has no vectors. */
  readonly vector?: Float32Array;
}

/** What is kept of a file. */
export interface IndexedFile {
  /** From the source's folder, with `/`. */
  readonly name: string;
  /** Of its content and of all that decides what its chunks are. */
  readonly hash: string;
  readonly chunks: number;
}

/** What made the vectors: others do not compare with them. */
export interface VectorSpace {
  readonly model: string;
  readonly dimensions: number;
}

/** A part that was found. Ids are the store's own, and hold until the file is replaced. */
export interface Found {
  readonly id: number;
  /** From 0 to 1; it means the same for every query. */
  readonly score: number;
}

export interface FoundChunk extends Chunk {
  readonly id: number;
  readonly file: string;
  readonly context?: string;
}

/**
 * Contract: each method is one transaction; a store that several processes have open at once stays whole. Rejects with
 * a DocumentStoreError.
 */
export interface DocumentStore {
  files(): Promise<readonly IndexedFile[]>;
  /** The chunks of one file in their order; none for a file that is not known. */
  chunksOf(file: string): Promise<readonly StoredChunk[]>;
  /** Puts a file in the place of the one of that name. The vectors of all chunks are of the space, or there are none. */
  replace(file: Omit<IndexedFile, "chunks">, chunks: readonly StoredChunk[], terms: TermsOf): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(files: readonly string[]): Promise<void>;
  vectorSpace(): Promise<VectorSpace | undefined>;
  /** Without one, chunks have no vectors. Only for an index without files. */
  setVectorSpace(space: VectorSpace | undefined): Promise<void>;
  /**
   * The best by BM25 (k1 1.2, b 0.75), best first. A score is the share of what a chunk could have that holds each term
   * without end.
   */
  byTerms(terms: readonly string[], limit: number): Promise<readonly Found[]>;
  /** The nearest by cosine, nearest first; opposite is 0. */
  byVector(vector: Float32Array, limit: number): Promise<readonly Found[]>;
  /** Those that are still there, in the order of the ids. */
  read(ids: readonly number[]): Promise<readonly FoundChunk[]>;
  close(): Promise<void>;
}

/** The terms by which a chunk is found, in their order. */
type TermsOf = (chunk: StoredChunk) => readonly string[];

/** The index cannot be kept, or not be read. */
export class DocumentStoreError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "DocumentStoreError";
  }
}

/** The constants of BM25, as SQLite's FTS5 has them. */
export const bm25 = { k1: 1.2, b: 0.75 } as const;

/** How much a term tells that `documents` of `all` have. Source: the documentation of FTS5, "The bm25() function". */
export function inverseFrequency(documents: number, all: number): number {
  return Math.max(Math.log((all - documents + 0.5) / (documents + 0.5)), 1e-6);
}
