import type { QueryResultRow } from "pg";
import { bm25, minInverseFrequency } from "./bm25.ts";
import { readFields, writeFields } from "./chunk-fields.ts";
import type {
  FileStamp,
  FileToStore,
  FoundChunk,
  IndexedFile,
  RankedChunk,
  StoredChunk,
  VectorSpace,
} from "./document-store.ts";
import type { Send } from "./postgres-connection.ts";
import { insertWarnings } from "./postgres-remarks.ts";
import { createVectorTable, findVectorTable, type VectorNames } from "./postgres-schema.ts";
import { requireSameSpace } from "./store-errors.ts";

/** The number of chunks in one INSERT. */
const batchSize = 200;

interface Batch extends Pick<FileToStore, "chunks" | "termsOf"> {
  readonly file: number;
  /** The position of the first chunk in the file. */
  readonly from: number;
  readonly vectors: VectorNames | undefined;
}

/** Runs the SQL statements of a PostgreSQL index in one transaction. `schema` is quoted. */
export class PostgresQueries {
  readonly #send: Send;
  readonly #schema: string;

  constructor(send: Send, schema: string) {
    this.#send = send;
    this.#schema = schema;
  }

  async files(): Promise<IndexedFile[]> {
    const rows = await this.#send(
      `SELECT name, hash, (SELECT count(*) FROM ${this.#schema}.chunks c WHERE c.file = f.id) AS n FROM ${this.#schema}.files f ORDER BY name`,
    );
    return rows.map(({ name, hash, n }) => ({ name: String(name), hash: String(hash), chunks: Number(n) }));
  }

  async chunksOf(name: string): Promise<StoredChunk[]> {
    const schema = this.#schema;
    const hasVectors = (await findVectorTable(this.#send, schema)) !== undefined;
    const vectors = hasVectors ? `LEFT JOIN ${schema}.vectors v ON v.chunk = c.id` : "";
    const rows = await this.#send(
      `SELECT c.fields, ${hasVectors ? "v.vector::text" : "NULL"} AS vector
        FROM ${schema}.files f JOIN ${schema}.chunks c ON c.file = f.id ${vectors} WHERE f.name = $1 ORDER BY c.place`,
      [name],
    );
    return rows.map(toStoredChunk);
  }

  async replace({ name, hash, chunks, warnings = [], space, termsOf }: FileToStore): Promise<void> {
    await this.remove([name]);
    const vectors = space && (await this.#setSpace(space));
    const insert = `INSERT INTO ${this.#schema}.files (name, hash) VALUES ($1, $2) RETURNING id`;
    const [row] = await this.#send(insert, [name, hash]);
    for (let from = 0; from < chunks.length; from += batchSize) {
      const batch = chunks.slice(from, from + batchSize);
      await this.#insertChunks({ file: Number(row?.id), from, chunks: batch, termsOf, vectors });
    }
    if (warnings.length > 0) await insertWarnings(this.#send, this.#schema, Number(row?.id), warnings);
  }

  async rename(from: string, to: string): Promise<boolean> {
    const [found] = await this.#send(`SELECT id FROM ${this.#schema}.files WHERE name = $1`, [from]);
    if (found === undefined) return false;
    if (from !== to) await this.remove([to]);
    await this.#send(`UPDATE ${this.#schema}.files SET name = $1 WHERE id = $2`, [to, found.id]);
    return true;
  }

  async remove(names: readonly string[]): Promise<void> {
    await this.#send(`DELETE FROM ${this.#schema}.files WHERE name = ANY($1)`, [names]);
  }

  async mark(stamps: readonly FileStamp[]): Promise<void> {
    await this.#send(
      `INSERT INTO ${this.#schema}.stamps (file, stamp)
        SELECT f.id, given.stamp FROM unnest($1::text[], $2::text[], $3::text[]) AS given (name, hash, stamp)
        JOIN ${this.#schema}.files f ON f.name = given.name AND f.hash = given.hash
        ON CONFLICT (file) DO UPDATE SET stamp = excluded.stamp`,
      [stamps.map(({ name }) => name), stamps.map(({ hash }) => hash), stamps.map(({ stamp }) => stamp)],
    );
  }

  async stamps(): Promise<FileStamp[]> {
    const rows = await this.#send(
      `SELECT name, hash, stamp FROM ${this.#schema}.stamps s JOIN ${this.#schema}.files f ON f.id = s.file`,
    );
    return rows.map(({ name, hash, stamp }) => ({ name: String(name), hash: String(hash), stamp: String(stamp) }));
  }

  async clear(): Promise<void> {
    await this.#send(`DELETE FROM ${this.#schema}.files`);
    await this.#send(`DELETE FROM ${this.#schema}.left_out`);
  }

  async vectorSpace(): Promise<VectorSpace | undefined> {
    const schema = this.#schema;
    if ((await findVectorTable(this.#send, schema)) === undefined) return undefined;
    const [row] = await this.#send(
      `SELECT model, dimensions FROM ${schema}.space WHERE EXISTS (SELECT 1 FROM ${schema}.vectors)`,
    );
    return row && { model: String(row.model), dimensions: Number(row.dimensions) };
  }

  async byTerms(terms: readonly string[], limit: number): Promise<RankedChunk[]> {
    const rows = await this.#send(rankingSql(this.#schema), [[...new Set(terms)], limit]);
    return rows.map(({ id, score }) => ({ id: Number(id), score: Math.min(Number(score), 1) }));
  }

  async byVector(vector: Float32Array, limit: number): Promise<RankedChunk[]> {
    const names = await findVectorTable(this.#send, this.#schema);
    if (names === undefined) return [];
    const rows = await this.#send(
      `SELECT chunk AS id, 1 - (vector ${names.distance} $1::${names.type}) AS score
        FROM ${this.#schema}.vectors ORDER BY vector ${names.distance} $1::${names.type}, chunk LIMIT $2`,
      [vectorText(vector), limit],
    );
    return rows.map(({ id, score }) => ({ id: Number(id), score: Math.max(Number(score) || 0, 0) })); // NaN for a zero vector
  }

  async read(ids: readonly number[]): Promise<FoundChunk[]> {
    const schema = this.#schema;
    const rows = await this.#send(
      `SELECT c.id, c.fields, f.name FROM ${schema}.chunks c JOIN ${schema}.files f ON f.id = c.file WHERE c.id = ANY($1)`,
      [ids],
    );
    const found = new Map(rows.map((row) => [Number(row.id), row]));
    return ids.flatMap((id) => {
      const row = found.get(id);
      return row === undefined ? [] : [{ ...readFields(row.fields), id, file: String(row.name) }];
    });
  }

  async #setSpace(space: VectorSpace): Promise<VectorNames> {
    requireSameSpace(await this.vectorSpace(), space);
    await this.#send(`DELETE FROM ${this.#schema}.space`);
    await this.#send(`INSERT INTO ${this.#schema}.space VALUES ($1, $2)`, [space.model, space.dimensions]);
    return createVectorTable(this.#send, this.#schema);
  }

  async #insertChunks(batch: Batch): Promise<void> {
    const { file, from, chunks, termsOf, vectors } = batch;
    const terms = chunks.map(termsOf);
    const rows = await this.#send(
      `INSERT INTO ${this.#schema}.chunks (file, place, fields, length)
        SELECT $1, * FROM unnest($2::integer[], $3::text[], $4::integer[]) RETURNING id, place`,
      [file, chunks.map((_, index) => from + index), chunks.map(writeFields), terms.map(({ length }) => length)],
    );
    const ids = new Map(rows.map(({ id, place }) => [Number(place) - from, Number(id)]));
    await this.#insertTerms(terms, ids);
    if (vectors) await this.#insertVectors(chunks, ids, vectors);
  }

  async #insertTerms(terms: readonly (readonly string[])[], ids: ReadonlyMap<number, number>): Promise<void> {
    const counted = terms.flatMap((all, index) =>
      Array.from(countTerms(all), ([term, count]) => [term, ids.get(index), count] as const),
    );
    await this.#send(
      `INSERT INTO ${this.#schema}.words (term, chunk, count) SELECT * FROM unnest($1::text[], $2::bigint[], $3::integer[])`,
      [counted.map(([term]) => term), counted.map(([, id]) => id), counted.map(([, , count]) => count)],
    );
  }

  async #insertVectors(
    chunks: readonly StoredChunk[],
    ids: ReadonlyMap<number, number>,
    { type }: VectorNames,
  ): Promise<void> {
    const rows = chunks.flatMap(({ vector }, index) => (vector ? [{ id: ids.get(index), vector }] : []));
    await this.#send(
      `INSERT INTO ${this.#schema}.vectors (chunk, vector) SELECT id, made::${type} FROM unnest($1::bigint[], $2::text[]) AS given (id, made)`,
      [rows.map(({ id }) => id), rows.map(({ vector }) => vectorText(vector))],
    );
  }
}

/** Writes BM25 with the same constants and weights as SQLite's FTS5. */
function rankingSql(schema: string): string {
  const { k1, b } = bm25;
  return `
    WITH facts AS (SELECT count(*)::float8 AS chunks, avg(length)::float8 AS mean FROM ${schema}.chunks),
    weights AS (
      SELECT term, greatest(ln((chunks - count(*) + 0.5) / (count(*) + 0.5)), ${minInverseFrequency}) * ${k1 + 1} AS weight
      FROM ${schema}.words, facts WHERE term = ANY($1) GROUP BY term, chunks
    )
    SELECT w.chunk AS id,
      sum(weight * w.count / (w.count + ${k1} * (1 - ${b} + ${b} * c.length / mean)))
        / (SELECT sum(weight) FROM weights) AS score
    FROM weights JOIN ${schema}.words w USING (term) JOIN ${schema}.chunks c ON c.id = w.chunk, facts
    GROUP BY w.chunk ORDER BY score DESC, w.chunk LIMIT $2`;
}

function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function vectorText(vector: Float32Array): string {
  return `[${vector.join()}]`;
}

function toStoredChunk({ fields, vector }: QueryResultRow): StoredChunk {
  const chunk = readFields(fields);
  if (typeof vector !== "string") return chunk;
  return { ...chunk, vector: Float32Array.from(vector.slice(1, -1).split(","), Number) };
}
