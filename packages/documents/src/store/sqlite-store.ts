import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { z } from "zod";
import {
  bm25,
  type DocumentStore,
  DocumentStoreError,
  type FoundChunk,
  type IndexedFile,
  inverseFrequency,
  type StoredChunk,
  type VectorSpace,
} from "./document-store.ts";
import { createVectorCache } from "./vector-cache.ts";

/** What each format adds to the one before; a newer file is refused. */
const schema = `
  CREATE TABLE files (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, hash TEXT NOT NULL) STRICT;
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    file INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
    place INTEGER NOT NULL,
    fields TEXT NOT NULL,
    vector BLOB
  ) STRICT;
  CREATE INDEX chunks_by_file ON chunks (file, place);
  CREATE VIRTUAL TABLE words USING fts5(terms, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0");
  CREATE TABLE space (model TEXT NOT NULL, dimensions INTEGER NOT NULL) STRICT;
`;
const format = 1;

const fieldsSchema = z.strictObject({
  text: z.string(),
  headings: z.array(z.string()),
  lines: z.strictObject({ from: z.number(), to: z.number() }).exactOptional(),
  page: z.number().exactOptional(),
  context: z.string().exactOptional(),
});

/** An index in one file of SQLite, made where there is none. Throws DocumentStoreError. */
export function openSqliteStore(file: string): DocumentStore {
  const database = open(file);
  const attempt = async <T>(work: () => T): Promise<T> => explained(file, work);
  const write = <T>(work: () => T) => attempt(() => inTransaction(database, work));
  const statement = (sql: string) => database.prepare(sql);
  const vectors = createVectorCache(database);

  function removeFile(name: string): void {
    const row = statement("SELECT id FROM files WHERE name = ?").get(name);
    if (row === undefined) return;
    statement("DELETE FROM words WHERE rowid IN (SELECT id FROM chunks WHERE file = ?)").run(Number(row.id));
    statement("DELETE FROM chunks WHERE file = ?").run(Number(row.id));
    statement("DELETE FROM files WHERE id = ?").run(Number(row.id));
  }

  function space(): VectorSpace | undefined {
    const row = statement("SELECT model, dimensions FROM space").get();
    return row && { model: String(row.model), dimensions: Number(row.dimensions) };
  }

  /** What a chunk could reach that holds each of the terms without end. */
  function mostOf(terms: readonly string[]): number {
    const all = Number(statement("SELECT count(*) AS n FROM chunks").get()?.n);
    const documents = statement("SELECT count(*) AS n FROM words WHERE words MATCH ?");
    return terms.reduce((sum, term) => {
      const having = Number(documents.get(quote(term))?.n);
      return sum + (having === 0 ? 0 : inverseFrequency(having, all) * (bm25.k1 + 1));
    }, 0);
  }

  return {
    files: () =>
      attempt(() =>
        statement(
          "SELECT name, hash, (SELECT count(*) FROM chunks WHERE file = files.id) AS n FROM files ORDER BY name",
        )
          .all()
          .map(({ name, hash, n }): IndexedFile => ({ name: String(name), hash: String(hash), chunks: Number(n) })),
      ),
    chunksOf: (name) =>
      attempt(() =>
        statement(
          "SELECT c.fields, c.vector FROM chunks c JOIN files f ON f.id = c.file WHERE f.name = ? ORDER BY place",
        )
          .all(name)
          .map(storedOf),
      ),
    replace: ({ name, hash }, chunks, termsOf) =>
      write(() => {
        removeFile(name);
        const { lastInsertRowid } = statement("INSERT INTO files (name, hash) VALUES (?, ?)").run(name, hash);
        const insert = statement("INSERT INTO chunks (file, place, fields, vector) VALUES (?, ?, ?, ?)");
        const index = statement("INSERT INTO words (rowid, terms) VALUES (?, ?)");
        for (const [place, chunk] of chunks.entries()) {
          const { vector, ...fields } = chunk;
          const blob =
            vector === undefined ? null : new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
          const row = insert.run(lastInsertRowid, place, JSON.stringify(fields), blob);
          index.run(row.lastInsertRowid, termsOf(chunk).join(" "));
        }
      }),
    rename: (from, to) => write(() => void statement("UPDATE files SET name = ? WHERE name = ?").run(to, from)),
    remove: (names) => write(() => names.forEach(removeFile)),
    vectorSpace: () => attempt(space),
    setVectorSpace: (wanted) =>
      write(() => {
        database.exec("DELETE FROM space");
        if (wanted) statement("INSERT INTO space VALUES (?, ?)").run(wanted.model, wanted.dimensions);
      }),
    byTerms: (given, limit) =>
      attempt(() => {
        const terms = [...new Set(given)];
        if (terms.length === 0) return [];
        const most = mostOf(terms);
        return statement(
          "SELECT rowid AS id, bm25(words) AS score FROM words WHERE words MATCH ? ORDER BY score, id LIMIT ?",
        )
          .all(terms.map(quote).join(" OR "), limit)
          .map(({ id, score }) => ({ id: Number(id), score: Math.min(-Number(score) / most, 1) }));
      }),
    byVector: (vector, limit) => attempt(() => vectors.nearest(vector, limit)),
    read: (ids) =>
      attempt(() => {
        const one = statement(
          "SELECT c.id, c.fields, f.name FROM chunks c JOIN files f ON f.id = c.file WHERE c.id = ?",
        );
        return ids.flatMap((id) => {
          const row = one.get(id);
          return row === undefined ? [] : [foundOf(row)];
        });
      }),
    close: async () => {
      if (database.isOpen) database.close();
    },
  };
}

function open(file: string): DatabaseSync {
  return explained(file, () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const database = new DatabaseSync(file);
    try {
      database.exec(
        "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON",
      );
      inTransaction(database, () => prepare(database, file));
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

function prepare(database: DatabaseSync, file: string): void {
  const version = Number(database.prepare("PRAGMA user_version").get()?.user_version);
  if (version > format) {
    throw new DocumentStoreError(
      `A newer Bridle made the index ${file}. Update Bridle, or remove the file and index anew.`,
    );
  }
  if (version === 0) database.exec(`${schema}; PRAGMA user_version = ${format}`);
}

function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

function explained<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof DocumentStoreError) throw cause;
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new DocumentStoreError(
      `The index ${file} cannot be used: ${problem}. See that it can be written and the disk has room, or remove the file and index anew.`,
      { cause },
    );
  }
}

/** As one term of FTS5, whatever stands in it. */
function quote(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

type Row = Record<string, SQLOutputValue>;

function storedOf({ fields, vector }: Row): StoredChunk {
  const chunk = fieldsSchema.parse(JSON.parse(String(fields)));
  return vector instanceof Uint8Array ? { ...chunk, vector: toFloats(vector) } : chunk;
}

function foundOf({ id, fields, name }: Row): FoundChunk {
  return { ...fieldsSchema.parse(JSON.parse(String(fields))), id: Number(id), file: String(name) };
}

function toFloats(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer);
}
