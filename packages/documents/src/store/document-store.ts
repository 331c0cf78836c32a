/** The port for stores of an index. `tests/document-store-laws.ts` is the test suite of every store. */
import type { Chunk } from "../chunk/chunk-document.ts";

/** A stored chunk of a file. */
export interface StoredChunk extends Chunk {
  /** A model's description of the chunk. It is searched with the chunk. */
  readonly context?: string;
  /** A unit vector. Missing if the index has no vectors. */
  readonly vector?: Float32Array;
}

/** A file in the index. */
export interface IndexedFile {
  /** Relative to the base folder, with `/`. */
  readonly name: string;
  /** The hash of the content and of all settings that affect its chunks. */
  readonly hash: string;
  readonly chunks: number;
}

/** A remark about a file. */
export interface FileRemark {
  /** Relative to the base folder, with `/`. */
  readonly name: string;
  /** Completes a sentence that begins with the file name. */
  readonly problem: string;
}

/** A file that is not in the index, or only with outdated content. */
export interface LeftOutFile extends FileRemark {
  /** `failed` if it could not be read, `skipped` if Bridle does not read such files. */
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
  /** From 0 to 1, comparable between queries. */
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
  /** The model of the chunks' vectors; undefined if they have none. */
  readonly space?: VectorSpace | undefined;
  /** The terms of a chunk in order. Each has at most 200 characters. Its ASCII characters are letters and digits only. */
  termsOf(chunk: StoredChunk): readonly string[];
}

/**
 * Contract: each method is one transaction, and several processes can use a store at the same time. Methods reject with a
 * DocumentStoreError.
 */
export interface DocumentStore {
  files(): Promise<readonly IndexedFile[]>;
  /** The chunks of one file in order; empty for an unknown file. */
  chunksOf(file: string): Promise<readonly StoredChunk[]>;
  /**
   * Stores a file, and replaces a file with the same name. Rejects with an OtherSpaceError if other files have vectors of another model.
   */
  replace(file: FileToStore): Promise<void>;
  /** Renames a file. A file that has the new name already is replaced. Returns false if no file has the old name. */
  rename(from: string, to: string): Promise<boolean>;
  remove(files: readonly string[]): Promise<void>;
  /** Stores the stamps of files that still have these hashes, and ignores others. A stamp is removed with its hash. */
  mark(stamps: readonly FileStamp[]): Promise<void>;
  /** The last stamp of each file that has one. */
  stamps(): Promise<readonly FileStamp[]>;
  /** The warnings of stored files, by name. */
  warnings(): Promise<readonly FileRemark[]>;
  /** Replaces the list of skipped and failed files. */
  leaveOut(files: readonly LeftOutFile[]): Promise<void>;
  /** The list of skipped and failed files, by name. */
  leftOut(): Promise<readonly LeftOutFile[]>;
  clear(): Promise<void>;
  /** The model of the stored vectors; undefined if the index has no vectors. */
  vectorSpace(): Promise<VectorSpace | undefined>;
  /**
   * The best chunks by BM25 (k1 1.2, b 0.75), best first. A score is relative to its upper bound: the score of a chunk with infinitely many
   * of each term.
   */
  byTerms(terms: readonly string[], limit: number): Promise<readonly RankedChunk[]>;
  /** The nearest chunks by cosine similarity, nearest first. Opposite vectors score 0. The vector must be from the store's model. */
  byVector(vector: Float32Array, limit: number): Promise<readonly RankedChunk[]>;
  /** The chunks with these ids that still exist, in the order of the ids. */
  read(ids: readonly number[]): Promise<readonly FoundChunk[]>;
  close(): Promise<void>;
}
