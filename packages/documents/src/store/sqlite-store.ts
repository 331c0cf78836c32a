import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { mostOf } from "./bm25.ts";
import { readFields, writeFields } from "./chunk-fields.ts";
import type {
  DocumentStore,
  FileToStore,
  FoundChunk,
  IndexedFile,
  StoredChunk,
  VectorSpace,
} from "./document-store.ts";
import { explained, inTransaction, openSqliteFile } from "./sqlite-file.ts";
import { requireSameSpace } from "./store-errors.ts";
import { createVectorCache } from "./vector-cache.ts";

/** An index in one file of SQLite, made where there is none. Throws DocumentStoreError. */
export function openSqliteStore(file: string): DocumentStore {
  const database = openSqliteFile(file);
  const attempt = async <T>(work: () => T): Promise<T> => explained(file, work);
  const write = <T>(work: () => T) => attempt(() => inTransaction(database, work));
  const vectors = createVectorCache(database);
  const queries = createQueries(database);
  return {
    files: () => attempt(queries.files),
    chunksOf: (name) => attempt(() => queries.chunksOf(name)),
    replace: (given) => write(() => queries.replace(given)),
    rename: (from, to) => write(() => queries.rename(from, to)),
    remove: (names) => write(() => names.forEach(queries.remove)),
    clear: () => write(queries.clear),
    vectorSpace: () => attempt(queries.space),
    byTerms: (terms, limit) => attempt(() => queries.byTerms([...new Set(terms)], limit)),
    byVector: (vector, limit) => attempt(() => vectors.nearest(vector, limit)),
    read: (ids) => attempt(() => queries.read(ids)),
    close: async () => {
      if (database.isOpen) database.close();
    },
  };
}

function createQueries(database: DatabaseSync) {
  const statement = (sql: string) => database.prepare(sql);

  function space(): VectorSpace | undefined {
    const row = statement("SELECT model, dimensions FROM space WHERE EXISTS (SELECT 1 FROM vectors)").get();
    return row && { model: String(row.model), dimensions: Number(row.dimensions) };
  }

  function remove(name: string): void {
    const row = statement("SELECT id FROM files WHERE name = ?").get(name);
    if (row === undefined) return;
    statement("DELETE FROM words WHERE rowid IN (SELECT id FROM chunks WHERE file = ?)").run(Number(row.id));
    statement("DELETE FROM files WHERE id = ?").run(Number(row.id));
  }

  function keepSpace(made: VectorSpace | undefined): void {
    if (made === undefined) return;
    requireSameSpace(space(), made);
    statement("DELETE FROM space").run();
    statement("INSERT INTO space VALUES (?, ?)").run(made.model, made.dimensions);
  }

  function having(term: string): number {
    return Number(statement("SELECT count(*) AS n FROM words WHERE words MATCH ?").get(quote(term))?.n);
  }

  return {
    space,
    remove,
    files: (): IndexedFile[] =>
      statement("SELECT name, hash, (SELECT count(*) FROM chunks WHERE file = files.id) AS n FROM files ORDER BY name")
        .all()
        .map(({ name, hash, n }) => ({ name: String(name), hash: String(hash), chunks: Number(n) })),
    chunksOf: (name: string): StoredChunk[] =>
      statement(
        "SELECT c.fields, v.vector FROM files f JOIN chunks c ON c.file = f.id LEFT JOIN vectors v ON v.chunk = c.id WHERE f.name = ? ORDER BY c.place",
      )
        .all(name)
        .map(storedOf),
    replace({ name, hash, chunks, space: made, termsOf }: FileToStore): void {
      remove(name);
      keepSpace(made);
      const file = statement("INSERT INTO files (name, hash) VALUES (?, ?)").run(name, hash).lastInsertRowid;
      const insert = statement("INSERT INTO chunks (file, place, fields) VALUES (?, ?, ?)");
      const index = statement("INSERT INTO words (rowid, terms) VALUES (?, ?)");
      const keepVector = statement("INSERT INTO vectors (chunk, vector) VALUES (?, ?)");
      for (const [place, chunk] of chunks.entries()) {
        const id = insert.run(file, place, writeFields(chunk)).lastInsertRowid;
        index.run(id, termsOf(chunk).join(" "));
        if (chunk.vector) keepVector.run(id, toBytes(chunk.vector));
      }
    },
    rename(from: string, to: string): boolean {
      if (statement("SELECT 1 FROM files WHERE name = ?").get(from) === undefined) return false;
      if (from !== to) remove(to);
      statement("UPDATE files SET name = ? WHERE name = ?").run(to, from);
      return true;
    },
    clear: () => database.exec("DELETE FROM words; DELETE FROM files; DELETE FROM space"),
    byTerms(terms: readonly string[], limit: number) {
      if (terms.length === 0) return [];
      const all = Number(statement("SELECT count(*) AS n FROM chunks").get()?.n);
      const most = mostOf(terms.map(having), all);
      return statement(
        "SELECT rowid AS id, bm25(words) AS score FROM words WHERE words MATCH ? ORDER BY score, id LIMIT ?",
      )
        .all(terms.map(quote).join(" OR "), limit)
        .map(({ id, score }) => ({ id: Number(id), score: Math.min(-Number(score) / most, 1) }));
    },
    read(ids: readonly number[]): FoundChunk[] {
      const one = statement("SELECT c.id, c.fields, f.name FROM chunks c JOIN files f ON f.id = c.file WHERE c.id = ?");
      return ids.flatMap((id) => one.all(id).map(foundOf));
    },
  };
}

/** As one term of FTS5, whatever stands in it. */
function quote(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

type Row = Record<string, SQLOutputValue>;

function storedOf({ fields, vector }: Row): StoredChunk {
  const chunk = readFields(fields);
  return vector instanceof Uint8Array ? { ...chunk, vector: new Float32Array(vector.slice().buffer) } : chunk;
}

function foundOf({ id, fields, name }: Row): FoundChunk {
  return { ...readFields(fields), id: Number(id), file: String(name) };
}

function toBytes({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
