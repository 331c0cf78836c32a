/** The interface that an index store implements. `tests/document-store-laws.ts` tests every store. */
import type { Chunk } from "../chunk/chunk-document.ts";

/** A stored chunk of a file. */
export interface StoredChunk extends Chunk {
  /** A model's description of the chunk, which is searched together with the chunk. */
  readonly context?: string;
  /** The chunk's unit vector; missing if the index has no vectors. */
  readonly vector?: Float32Array;
}

/** A file in the index. */
export interface IndexedFile {
  /** The path relative to the base folder, with `/`. */
  readonly name: string;
  /** The hash of the content and of all settings that affect its chunks. */
  readonly hash: string;
  readonly chunks: number;
}

/** A remark about a file. */
export interface FileRemark {
  /** The path relative to the base folder, with `/`. */
  readonly name: string;
  /** The problem, which completes a sentence that begins with the file name. */
  readonly problem: string;
}

/** A file that is not in the index, or only with outdated content. */
export interface LeftOutFile extends FileRemark {
  /** `failed`: the file could not be read. `skipped`: Bridle does not read such files. */
  readonly kind: "failed" | "skipped";
}

/** The size and the times of a file when its content had this hash. */
export interface FileStamp {
  readonly name: string;
  readonly hash: string;
  readonly stamp: string;
}

/** The model that made the vectors. Vectors of different models cannot be compared. */
export interface VectorSpace {
  readonly model: string;
  readonly dimensions: number;
}

/** A found chunk. Ids belong to the store, and are valid until the file is replaced. */
export interface RankedChunk {
  readonly id: number;
  /** The score from 0 to 1, comparable between queries. */
  readonly score: number;
}

export interface FoundChunk extends Chunk {
  readonly id: number;
  readonly file: string;
  readonly context?: string;
}

/** A file to store. */
export interface FileToStore {
  readonly name: string;
  readonly hash: string;
  readonly chunks: readonly StoredChunk[];
  /** Content that was skipped or could not be read reliably, as in `FileRemark`. Default: none. */
  readonly warnings?: readonly string[] | undefined;
  /** The model that made the chunks' vectors; undefined if the chunks have no vectors. */
  readonly space?: VectorSpace | undefined;
  /** Returns the terms of a chunk in order. Each has at most 200 characters, and its only ASCII characters are letters and digits. */
  termsOf(chunk: StoredChunk): readonly string[];
}

/**
 * Contract: each method is one transaction, and several processes can use a store at the same time. Methods reject with a
 * DocumentStoreError.
 */
export interface DocumentStore {
  files(): Promise<readonly IndexedFile[]>;
  /** Returns the chunks of one file in order; empty for an unknown file. */
  chunksOf(file: string): Promise<readonly StoredChunk[]>;
  /**
   * Stores a file, and replaces a file with the same name. Rejects with an OtherSpaceError if another model made the vectors of other
   * files.
   */
  replace(file: FileToStore): Promise<void>;
  /** Renames a file. Replaces a file that already has the new name. Returns false if no file has the old name. */
  rename(from: string, to: string): Promise<boolean>;
  remove(files: readonly string[]): Promise<void>;
  /** Stores the stamps of files that still have these hashes, and ignores others. When a file's hash changes, its stamp is removed. */
  mark(stamps: readonly FileStamp[]): Promise<void>;
  /** Returns the last stamp of each file that has one. */
  stamps(): Promise<readonly FileStamp[]>;
  /** Returns the warnings about stored files, sorted by name. */
  warnings(): Promise<readonly FileRemark[]>;
  /** Replaces the list of skipped and failed files. */
  leaveOut(files: readonly LeftOutFile[]): Promise<void>;
  /** Returns the skipped and failed files, sorted by name. */
  leftOut(): Promise<readonly LeftOutFile[]>;
  clear(): Promise<void>;
  /** Returns the model that made the stored vectors; undefined if the index has no vectors. */
  vectorSpace(): Promise<VectorSpace | undefined>;
  /**
   * Finds the best chunks by BM25 (k1 1.2, b 0.75), best first. A score is relative to its upper bound: the score of a chunk with
   * infinitely many occurrences of each term.
   */
  byTerms(terms: readonly string[], limit: number): Promise<readonly RankedChunk[]>;
  /**
   * Finds the nearest chunks by cosine similarity, nearest first. Opposite vectors score 0. The vector must come from the model that made
   * the store's vectors.
   */
  byVector(vector: Float32Array, limit: number): Promise<readonly RankedChunk[]>;
  /** Returns the chunks with these ids that still exist, in the order of the ids. */
  read(ids: readonly number[]): Promise<readonly FoundChunk[]>;
  close(): Promise<void>;
}
