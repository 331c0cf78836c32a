import type { QueryResultRow } from "pg";
import { bm25, leastFrequency } from "./bm25.ts";
import { readFields, writeFields } from "./chunk-fields.ts";
import type { DocumentStore, FileToStore, StoredChunk, VectorSpace } from "./document-store.ts";
import { connect, identifier, type Send } from "./postgres-connection.ts";
import { findVectors, makeVectors, prepareSchema, schemaFor, type VectorNames } from "./postgres-schema.ts";
import { requireSameSpace } from "./store-errors.ts";

export interface PostgresStoreOptions {
  /** `postgresql://user:password@host/database` */
  readonly connectionString: string;
  /** Indexes of different names know nothing of each other: each has a schema of its own. */
  readonly name: string;
}

/**
 * An index in PostgreSQL, for which the extension pgvector is needed where it has vectors. They are compared one by one,
 * so that nothing is missed. Rejects with a DocumentStoreError.
 */
export async function openPostgresStore({ connectionString, name }: PostgresStoreOptions): Promise<DocumentStore> {
  const schema = identifier(schemaFor(name));
  const { read, write, close } = await connect({ connectionString, name, lock: `bridle ${schema}` });
  try {
    await write((send) => prepareSchema(send, schema));
  } catch (error) {
    await close();
    throw error;
  }
  const queries = createQueries(schema);
  return {
    files: () => read(queries.files),
    chunksOf: (file) => read((send) => queries.chunksOf(send, file)),
    replace: (file) => write((send) => queries.replace(send, file)),
    rename: (from, to) => write((send) => queries.rename(send, from, to)),
    remove: (names) => write((send) => queries.remove(send, names)),
    clear: () => write(queries.clear),
    vectorSpace: () => read(queries.space),
    byTerms: (terms, limit) => read((send) => queries.byTerms(send, terms, limit)),
    byVector: (vector, limit) => read((send) => queries.byVector(send, vector, limit)),
    read: (ids) => read((send) => queries.read(send, ids)),
    close,
  };
}

function createQueries(schema: string) {
  async function space(send: Send): Promise<VectorSpace | undefined> {
    if ((await findVectors(send, schema)) === undefined) return undefined;
    const [row] = await send(
      `SELECT model, dimensions FROM ${schema}.space WHERE EXISTS (SELECT 1 FROM ${schema}.vectors)`,
    );
    return row && { model: String(row.model), dimensions: Number(row.dimensions) };
  }

  async function remove(send: Send, names: readonly string[]): Promise<void> {
    await send(`DELETE FROM ${schema}.files WHERE name = ANY($1)`, [names]);
  }

  async function keepSpace(send: Send, made: VectorSpace): Promise<VectorNames> {
    requireSameSpace(await space(send), made);
    await send(`DELETE FROM ${schema}.space`);
    await send(`INSERT INTO ${schema}.space VALUES ($1, $2)`, [made.model, made.dimensions]);
    return makeVectors(send, schema);
  }

  async function insertChunks(send: Send, batch: Batch): Promise<void> {
    const { file, from, chunks, termsOf, vectors } = batch;
    const terms = chunks.map(termsOf);
    const rows = await send(
      `INSERT INTO ${schema}.chunks (file, place, fields, length)
        SELECT $1, * FROM unnest($2::integer[], $3::text[], $4::integer[]) RETURNING id, place`,
      [file, chunks.map((_, index) => from + index), chunks.map(writeFields), terms.map(({ length }) => length)],
    );
    const ids = new Map(rows.map(({ id, place }) => [Number(place) - from, Number(id)]));
    const counted = terms.flatMap((all, index) =>
      Array.from(countOf(all), ([term, count]) => [term, ids.get(index), count] as const),
    );
    await send(
      `INSERT INTO ${schema}.words (term, chunk, count) SELECT * FROM unnest($1::text[], $2::bigint[], $3::integer[])`,
      [counted.map(([term]) => term), counted.map(([, id]) => id), counted.map(([, , count]) => count)],
    );
    if (vectors === undefined) return;
    const withVector = chunks.flatMap(({ vector }, index) => (vector ? [{ id: ids.get(index), vector }] : []));
    await send(
      `INSERT INTO ${schema}.vectors (chunk, vector) SELECT id, made::${vectors.type} FROM unnest($1::bigint[], $2::text[]) AS given (id, made)`,
      [withVector.map(({ id }) => id), withVector.map(({ vector }) => writeVector(vector))],
    );
  }

  return {
    space,
    remove,
    async files(send: Send) {
      const rows = await send(
        `SELECT name, hash, (SELECT count(*) FROM ${schema}.chunks c WHERE c.file = f.id) AS n FROM ${schema}.files f ORDER BY name`,
      );
      return rows.map(({ name, hash, n }) => ({ name: String(name), hash: String(hash), chunks: Number(n) }));
    },
    async chunksOf(send: Send, name: string) {
      const hasVectors = (await findVectors(send, schema)) !== undefined;
      const vectors = hasVectors ? `LEFT JOIN ${schema}.vectors v ON v.chunk = c.id` : "";
      const rows = await send(
        `SELECT c.fields, ${hasVectors ? "v.vector::text" : "NULL"} AS vector
          FROM ${schema}.files f JOIN ${schema}.chunks c ON c.file = f.id ${vectors} WHERE f.name = $1 ORDER BY c.place`,
        [name],
      );
      return rows.map(storedOf);
    },
    async replace(send: Send, { name, hash, chunks, space: made, termsOf }: FileToStore) {
      await remove(send, [name]);
      const vectors = made && (await keepSpace(send, made));
      const [row] = await send(`INSERT INTO ${schema}.files (name, hash) VALUES ($1, $2) RETURNING id`, [name, hash]);
      for (let from = 0; from < chunks.length; from += batchSize)
        await insertChunks(send, {
          file: Number(row?.id),
          from,
          chunks: chunks.slice(from, from + batchSize),
          termsOf,
          vectors,
        });
    },
    async rename(send: Send, from: string, to: string) {
      const [found] = await send(`SELECT id FROM ${schema}.files WHERE name = $1`, [from]);
      if (found === undefined) return false;
      if (from !== to) await remove(send, [to]);
      await send(`UPDATE ${schema}.files SET name = $1 WHERE id = $2`, [to, found.id]);
      return true;
    },
    async clear(send: Send) {
      await send(`DELETE FROM ${schema}.files`);
    },
    async byTerms(send: Send, terms: readonly string[], limit: number) {
      const rows = await send(rankingSql(schema), [[...new Set(terms)], limit]);
      return rows.map(({ id, score }) => ({ id: Number(id), score: Math.min(Number(score), 1) }));
    },
    async byVector(send: Send, vector: Float32Array, limit: number) {
      const names = await findVectors(send, schema);
      if (names === undefined) return [];
      const rows = await send(
        `SELECT chunk AS id, 1 - (vector ${names.distance} $1::${names.type}) AS score
          FROM ${schema}.vectors ORDER BY vector ${names.distance} $1::${names.type}, chunk LIMIT $2`,
        [writeVector(vector), limit],
      );
      return rows.map(({ id, score }) => ({ id: Number(id), score: Math.max(Number(score) || 0, 0) })); // NaN for zeros
    },
    async read(send: Send, ids: readonly number[]) {
      const rows = await send(
        `SELECT c.id, c.fields, f.name FROM ${schema}.chunks c JOIN ${schema}.files f ON f.id = c.file WHERE c.id = ANY($1)`,
        [ids],
      );
      const found = new Map(rows.map((row) => [Number(row.id), row]));
      return ids.flatMap((id) => {
        const row = found.get(id);
        return row === undefined ? [] : [{ ...readFields(row.fields), id, file: String(row.name) }];
      });
    },
  };
}

/** Chunks that go in one statement. */
const batchSize = 200;

interface Batch extends Pick<FileToStore, "chunks" | "termsOf"> {
  readonly file: number;
  /** The place of the first. */
  readonly from: number;
  readonly vectors: VectorNames | undefined;
}

/** BM25 as FTS5 has it, each term's weight and all. */
function rankingSql(schema: string): string {
  const { k1, b } = bm25;
  return `
    WITH facts AS (SELECT count(*)::float8 AS chunks, avg(length)::float8 AS mean FROM ${schema}.chunks),
    weights AS (
      SELECT term, greatest(ln((chunks - count(*) + 0.5) / (count(*) + 0.5)), ${leastFrequency}) * ${k1 + 1} AS weight
      FROM ${schema}.words, facts WHERE term = ANY($1) GROUP BY term, chunks
    )
    SELECT w.chunk AS id,
      sum(weight * w.count / (w.count + ${k1} * (1 - ${b} + ${b} * c.length / mean)))
        / (SELECT sum(weight) FROM weights) AS score
    FROM weights JOIN ${schema}.words w USING (term) JOIN ${schema}.chunks c ON c.id = w.chunk, facts
    GROUP BY w.chunk ORDER BY score DESC, w.chunk LIMIT $2`;
}

function countOf(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function writeVector(vector: Float32Array): string {
  return `[${vector.join()}]`;
}

function storedOf({ fields, vector }: QueryResultRow): StoredChunk {
  const chunk = readFields(fields);
  if (typeof vector !== "string") return chunk;
  return { ...chunk, vector: Float32Array.from(vector.slice(1, -1).split(","), Number) };
}
