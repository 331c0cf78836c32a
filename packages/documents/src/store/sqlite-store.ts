import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "@bridle/core";
import type {
  DocumentStore,
  FileRemark,
  FileStamp,
  FileToStore,
  FoundChunk,
  IndexedFile,
  LeftOutFile,
  RankedChunk,
  StoredChunk,
  VectorSpace,
} from "./document-store.ts";
import { indexFile } from "./sqlite-file.ts";
import { SqliteQueries } from "./sqlite-queries.ts";
import { VectorCache } from "./vector-cache.ts";

/** Opens an index in a SQLite file. Creates the file if it does not exist. Throws DocumentStoreError. */
export function openSqliteStore(file: string): DocumentStore {
  return new SqliteStore(file);
}

class SqliteStore implements DocumentStore {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #queries: SqliteQueries;
  readonly #vectors: VectorCache;

  constructor(file: string) {
    this.#file = file;
    this.#database = indexFile.open(file);
    this.#queries = new SqliteQueries(this.#database);
    this.#vectors = new VectorCache(this.#database);
  }

  files(): Promise<readonly IndexedFile[]> {
    return this.#read(() => this.#queries.files());
  }

  chunksOf(name: string): Promise<readonly StoredChunk[]> {
    return this.#read(() => this.#queries.chunksOf(name));
  }

  replace(file: FileToStore): Promise<void> {
    return this.#write(() => this.#queries.replace(file));
  }

  rename(from: string, to: string): Promise<boolean> {
    return this.#write(() => this.#queries.rename(from, to));
  }

  remove(names: readonly string[]): Promise<void> {
    return this.#write(() => {
      for (const name of names) this.#queries.remove(name);
    });
  }

  mark(stamps: readonly FileStamp[]): Promise<void> {
    return this.#write(() => this.#queries.mark(stamps));
  }

  stamps(): Promise<readonly FileStamp[]> {
    return this.#read(() => this.#queries.stamps());
  }

  warnings(): Promise<readonly FileRemark[]> {
    return this.#read(() => this.#queries.warnings());
  }

  leaveOut(files: readonly LeftOutFile[]): Promise<void> {
    return this.#write(() => this.#queries.leaveOut(files));
  }

  leftOut(): Promise<readonly LeftOutFile[]> {
    return this.#read(() => this.#queries.leftOut());
  }

  clear(): Promise<void> {
    return this.#write(() => this.#queries.clear());
  }

  vectorSpace(): Promise<VectorSpace | undefined> {
    return this.#read(() => this.#queries.vectorSpace());
  }

  byTerms(terms: readonly string[], limit: number): Promise<readonly RankedChunk[]> {
    return this.#read(() => this.#queries.byTerms([...new Set(terms)], limit));
  }

  byVector(vector: Float32Array, limit: number): Promise<readonly RankedChunk[]> {
    return this.#read(() => this.#vectors.nearest(vector, limit));
  }

  read(ids: readonly number[]): Promise<readonly FoundChunk[]> {
    return this.#read(() => this.#queries.read(ids));
  }

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#database.close();
  }

  async #read<T>(work: () => T): Promise<T> {
    return indexFile.explain(this.#file, work);
  }

  async #write<T>(work: () => T): Promise<T> {
    return indexFile.explain(this.#file, () => inTransaction(this.#database, work));
  }
}
