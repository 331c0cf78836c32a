import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import { hasNoWeight, maxScore } from "./bm25.ts";
import { readFields, toLeftOutFile, writeFields } from "./chunk-fields.ts";
import type {
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
import { requireSameSpace } from "./store-errors.ts";

/** The SQL statements of a SQLite index. The caller must run statements that write within a transaction. */
export class SqliteQueries {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  files(): IndexedFile[] {
    const rows = this.#prepare(
      `SELECT name, hash, coalesce(n, 0) AS n FROM files
        LEFT JOIN (SELECT file, count(*) AS n FROM chunks GROUP BY file) ON file = id ORDER BY name`,
    ).all();
    return rows.map(({ name, hash, n }) => ({ name: String(name), hash: String(hash), chunks: Number(n) }));
  }

  chunksOf(name: string): StoredChunk[] {
    const rows = this.#prepare(
      "SELECT c.fields, v.vector FROM files f JOIN chunks c ON c.file = f.id LEFT JOIN vectors v ON v.chunk = c.id WHERE f.name = ? ORDER BY c.place",
    ).all(name);
    return rows.map(toStoredChunk);
  }

  replace({ name, hash, chunks, warnings = [], space, termsOf }: FileToStore): void {
    this.remove(name);
    if (space) this.#setSpace(space);
    const file = this.#prepare("INSERT INTO files (name, hash) VALUES (?, ?)").run(name, hash).lastInsertRowid;
    const insertChunk = this.#prepare("INSERT INTO chunks (file, place, fields) VALUES (?, ?, ?)");
    const insertTerms = this.#prepare("INSERT INTO words (rowid, terms) VALUES (?, ?)");
    const insertVector = this.#prepare("INSERT INTO vectors (chunk, vector) VALUES (?, ?)");
    for (const [index, chunk] of chunks.entries()) {
      const id = insertChunk.run(file, index, writeFields(chunk)).lastInsertRowid;
      insertTerms.run(id, termsOf(chunk).join(" "));
      if (chunk.vector) insertVector.run(id, toBytes(chunk.vector));
    }
    const insertWarning = this.#prepare("INSERT INTO warnings (file, problem) VALUES (?, ?)");
    for (const problem of warnings) insertWarning.run(file, problem);
  }

  rename(from: string, to: string): boolean {
    if (this.#prepare("SELECT 1 FROM files WHERE name = ?").get(from) === undefined) return false;
    if (from !== to) this.remove(to);
    this.#prepare("UPDATE files SET name = ? WHERE name = ?").run(to, from);
    return true;
  }

  remove(name: string): void {
    const row = this.#prepare("SELECT id FROM files WHERE name = ?").get(name);
    if (row === undefined) return;
    this.#prepare("DELETE FROM words WHERE rowid IN (SELECT id FROM chunks WHERE file = ?)").run(Number(row.id));
    this.#prepare("DELETE FROM files WHERE id = ?").run(Number(row.id));
  }

  mark(stamps: readonly FileStamp[]): void {
    const write = this.#prepare(
      "INSERT OR REPLACE INTO stamps (file, stamp) SELECT id, ? FROM files WHERE name = ? AND hash = ?",
    );
    for (const { name, hash, stamp } of stamps) write.run(stamp, name, hash);
  }

  stamps(): FileStamp[] {
    const rows = this.#prepare("SELECT name, hash, stamp FROM stamps JOIN files ON files.id = stamps.file").all();
    return rows.map(({ name, hash, stamp }) => ({ name: String(name), hash: String(hash), stamp: String(stamp) }));
  }

  warnings(): FileRemark[] {
    const rows = this.#prepare(
      "SELECT name, problem FROM warnings JOIN files ON files.id = warnings.file ORDER BY name, warnings.rowid",
    ).all();
    return rows.map(({ name, problem }) => ({ name: String(name), problem: String(problem) }));
  }

  leaveOut(files: readonly LeftOutFile[]): void {
    this.#database.exec("DELETE FROM left_out");
    const insert = this.#prepare("INSERT INTO left_out (name, kind, problem) VALUES (?, ?, ?)");
    for (const { name, kind, problem } of files) insert.run(name, kind, problem);
  }

  leftOut(): LeftOutFile[] {
    return this.#prepare("SELECT name, kind, problem FROM left_out ORDER BY name, rowid").all().map(toLeftOutFile);
  }

  clear(): void {
    this.#database.exec("DELETE FROM words; DELETE FROM files; DELETE FROM space; DELETE FROM left_out");
  }

  vectorSpace(): VectorSpace | undefined {
    const row = this.#prepare("SELECT model, dimensions FROM space WHERE EXISTS (SELECT 1 FROM vectors)").get();
    return row && { model: String(row.model), dimensions: Number(row.dimensions) };
  }

  byTerms(terms: readonly string[], limit: number): RankedChunk[] {
    if (terms.length === 0) return [];
    const all = Number(this.#prepare("SELECT count(*) AS n FROM chunks").get()?.n);
    const counts = terms.map((term) => this.#countChunksWith(term));
    const best = maxScore(counts, all);
    const telling = terms.filter((_, index) => !hasNoWeight(counts[index] ?? 0, all));
    const found = telling.length === 0 ? [] : this.#rank(telling, limit);
    const rows = found.length < limit && telling.length < terms.length ? this.#rank(terms, limit) : found;
    return rows.map(({ id, score }) => ({ id: Number(id), score: Math.min(-Number(score) / best, 1) }));
  }

  #rank(terms: readonly string[], limit: number): Row[] {
    return this.#prepare(
      "SELECT rowid AS id, bm25(words) AS score FROM words WHERE words MATCH ? ORDER BY score, id LIMIT ?",
    ).all(terms.map(quoteTerm).join(" OR "), limit);
  }

  read(ids: readonly number[]): FoundChunk[] {
    const select = this.#prepare(
      "SELECT c.id, c.fields, f.name FROM chunks c JOIN files f ON f.id = c.file WHERE c.id = ?",
    );
    return ids.flatMap((id) => select.all(id).map(toFoundChunk));
  }

  #setSpace(space: VectorSpace): void {
    requireSameSpace(this.vectorSpace(), space);
    this.#prepare("DELETE FROM space").run();
    this.#prepare("INSERT INTO space VALUES (?, ?)").run(space.model, space.dimensions);
  }

  #countChunksWith(term: string): number {
    return Number(this.#prepare("SELECT count(*) AS n FROM words WHERE words MATCH ?").get(quoteTerm(term))?.n);
  }

  #prepare(sql: string): StatementSync {
    return this.#database.prepare(sql);
  }
}

/** Writes one term in the query syntax of FTS5. */
function quoteTerm(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

type Row = Record<string, SQLOutputValue>;

function toStoredChunk({ fields, vector }: Row): StoredChunk {
  const chunk = readFields(fields);
  return vector instanceof Uint8Array ? { ...chunk, vector: new Float32Array(vector.slice().buffer) } : chunk;
}

function toFoundChunk({ id, fields, name }: Row): FoundChunk {
  return { ...readFields(fields), id: Number(id), file: String(name) };
}

function toBytes({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
