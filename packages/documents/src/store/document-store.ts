/** Where an index is kept. `tests/document-store-laws.ts` states what holds of every store. */
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

/** A file as it is put into a store. */
export interface FileToStore {
  readonly name: string;
  readonly hash: string;
  readonly chunks: readonly StoredChunk[];
  /** What made the vectors of the chunks; missing where they have none. */
  readonly space?: VectorSpace;
  /** The terms by which a chunk is found, in their order. Each has 200 characters at most, none of ASCII but letters and digits. */
  termsOf(chunk: StoredChunk): readonly string[];
}

/**
 * Contract: each method is one transaction; a store that several processes have open at once stays whole. Rejects with
 * a DocumentStoreError.
 */
export interface DocumentStore {
  files(): Promise<readonly IndexedFile[]>;
  /** The chunks of one file in their order; none for a file that is not known. */
  chunksOf(file: string): Promise<readonly StoredChunk[]>;
  /** Puts a file in the place of the one of that name. Rejects with an OtherSpaceError where others hold such vectors. */
  replace(file: FileToStore): Promise<void>;
  /** Takes the place of whatever has the new name. False where there is no file of the old one. */
  rename(from: string, to: string): Promise<boolean>;
  remove(files: readonly string[]): Promise<void>;
  clear(): Promise<void>;
  /** That of the vectors which are there; undefined where there are none. */
  vectorSpace(): Promise<VectorSpace | undefined>;
  /**
   * The best by BM25 (k1 1.2, b 0.75), best first. A score is the share of what a chunk could have that holds each term
   * without end.
   */
  byTerms(terms: readonly string[], limit: number): Promise<readonly Found[]>;
  /** The nearest by cosine, nearest first; opposite is 0. The vector is of the store's space. */
  byVector(vector: Float32Array, limit: number): Promise<readonly Found[]>;
  /** Those that are still there, in the order of the ids. */
  read(ids: readonly number[]): Promise<readonly FoundChunk[]>;
  close(): Promise<void>;
}
