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
import { identifier, PostgresConnection } from "./postgres-connection.ts";
import { PostgresQueries } from "./postgres-queries.ts";
import { readLeftOut, readWarnings, replaceLeftOut } from "./postgres-remarks.ts";
import { prepareSchema, schemaFor } from "./postgres-schema.ts";

export interface PostgresStoreOptions {
  /** The connection string, such as `postgresql://user:password@host/database`. */
  readonly connectionString: string;
  /** The name of the index. Indexes with different names are independent: each has its own schema. */
  readonly name: string;
}

/**
 * Opens an index in PostgreSQL. An index with vectors needs the extension pgvector. Vectors are compared one by one, so that the results
 * are exact. Rejects with a DocumentStoreError.
 */
export async function openPostgresStore({ connectionString, name }: PostgresStoreOptions): Promise<DocumentStore> {
  const schema = identifier(schemaFor(name));
  const connection = await PostgresConnection.open({ connectionString, name, lock: `bridle ${schema}` });
  try {
    await connection.write((send) => prepareSchema(send, schema));
  } catch (error) {
    await connection.close();
    throw error;
  }
  return new PostgresStore(connection, schema);
}

class PostgresStore implements DocumentStore {
  readonly #connection: PostgresConnection;
  readonly #schema: string;

  constructor(connection: PostgresConnection, schema: string) {
    this.#connection = connection;
    this.#schema = schema;
  }

  files(): Promise<readonly IndexedFile[]> {
    return this.#read((queries) => queries.files());
  }

  chunksOf(file: string): Promise<readonly StoredChunk[]> {
    return this.#read((queries) => queries.chunksOf(file));
  }

  replace(file: FileToStore): Promise<void> {
    return this.#write((queries) => queries.replace(file));
  }

  rename(from: string, to: string): Promise<boolean> {
    return this.#write((queries) => queries.rename(from, to));
  }

  remove(names: readonly string[]): Promise<void> {
    return this.#write((queries) => queries.remove(names));
  }

  mark(stamps: readonly FileStamp[]): Promise<void> {
    return this.#write((queries) => queries.mark(stamps));
  }

  stamps(): Promise<readonly FileStamp[]> {
    return this.#read((queries) => queries.stamps());
  }

  warnings(): Promise<readonly FileRemark[]> {
    return this.#connection.read((send) => readWarnings(send, this.#schema));
  }

  leaveOut(files: readonly LeftOutFile[]): Promise<void> {
    return this.#connection.write((send) => replaceLeftOut(send, this.#schema, files));
  }

  leftOut(): Promise<readonly LeftOutFile[]> {
    return this.#connection.read((send) => readLeftOut(send, this.#schema));
  }

  clear(): Promise<void> {
    return this.#write((queries) => queries.clear());
  }

  vectorSpace(): Promise<VectorSpace | undefined> {
    return this.#read((queries) => queries.vectorSpace());
  }

  byTerms(terms: readonly string[], limit: number): Promise<readonly RankedChunk[]> {
    return this.#read((queries) => queries.byTerms(terms, limit));
  }

  byVector(vector: Float32Array, limit: number): Promise<readonly RankedChunk[]> {
    return this.#read((queries) => queries.byVector(vector, limit));
  }

  read(ids: readonly number[]): Promise<readonly FoundChunk[]> {
    return this.#read((queries) => queries.read(ids));
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  #read<T>(work: (queries: PostgresQueries) => Promise<T>): Promise<T> {
    return this.#connection.read((send) => work(new PostgresQueries(send, this.#schema)));
  }

  #write<T>(work: (queries: PostgresQueries) => Promise<T>): Promise<T> {
    return this.#connection.write((send) => work(new PostgresQueries(send, this.#schema)));
  }
}
