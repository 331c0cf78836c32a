import { createHash } from "node:crypto";
import { identifier, type Send } from "./postgres-connection.ts";
import { DocumentStoreError } from "./store-errors.ts";

/** The version of the tables. Newer versions are refused. */
const format = 3;

/** Returns a schema name of at most 63 bytes, which differs for different index names. */
export function schemaFor(name: string): string {
  if (/^[a-z][a-z0-9_]{0,49}$/.test(name)) return `bridle_${name}`;
  const readable = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .slice(0, 40);
  return `bridle_${readable}_${createHash("sha256").update(name).digest("hex").slice(0, 12)}`;
}

/** Creates missing tables. `schema` is quoted. */
export async function prepareSchema(send: Send, schema: string): Promise<void> {
  const [found] = await send("SELECT to_regclass($1) AS format", [`${schema}.format`]);
  if (found?.format === null) {
    await send(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    for (const table of tables(schema)) await send(table);
    await send(`INSERT INTO ${schema}.format VALUES (1)`);
  }
  const [version] = await send(`SELECT version FROM ${schema}.format`);
  if (Number(version?.version) > format)
    throw new DocumentStoreError(
      `A newer Bridle made the index in the schema ${schema}. Update Bridle, or drop the schema and build the index again.`,
    );
  const missing = additions(schema).slice(Number(version?.version) - 1);
  if (missing.length === 0) return;
  for (const table of missing.flat()) await send(table);
  await send(`UPDATE ${schema}.format SET version = $1`, [format]);
}

/** Returns the statements for the tables that each version added, from version 2. */
function additions(schema: string): readonly (readonly string[])[] {
  const file = `REFERENCES ${schema}.files ON DELETE CASCADE`;
  return [
    [`CREATE TABLE ${schema}.stamps (file bigint PRIMARY KEY ${file}, stamp text NOT NULL)`],
    [
      `CREATE TABLE ${schema}.warnings (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, file bigint NOT NULL ${file}, problem text NOT NULL)`,
      `CREATE INDEX warnings_by_file ON ${schema}.warnings (file)`,
      `CREATE TABLE ${schema}.left_out (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text COLLATE "C" NOT NULL, kind text NOT NULL, problem text NOT NULL)`,
    ],
  ];
}

/** Returns the statements for the tables of version 1. */
function tables(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.format (version integer NOT NULL)`,
    `CREATE TABLE ${schema}.files (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE, hash text NOT NULL)`,
    `CREATE TABLE ${schema}.chunks (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      file bigint NOT NULL REFERENCES ${schema}.files ON DELETE CASCADE,
      place integer NOT NULL,
      fields text NOT NULL,
      length integer NOT NULL)`,
    `CREATE INDEX chunks_by_file ON ${schema}.chunks (file, place)`,
    `CREATE TABLE ${schema}.words (
      term text COLLATE "C" NOT NULL,
      chunk bigint NOT NULL REFERENCES ${schema}.chunks ON DELETE CASCADE,
      count integer NOT NULL,
      PRIMARY KEY (term, chunk))`,
    `CREATE INDEX words_by_chunk ON ${schema}.words (chunk)`,
    `CREATE TABLE ${schema}.space (model text NOT NULL, dimensions integer NOT NULL)`,
  ];
}

/** The names of the extension's type and operator, because the extension can be installed in any schema. */
export interface VectorNames {
  readonly type: string;
  readonly distance: string;
}

/** Finds the vector table; undefined if no vector was ever stored. */
export async function findVectorTable(send: Send, schema: string): Promise<VectorNames | undefined> {
  const [table] = await send("SELECT to_regclass($1) AS vectors", [`${schema}.vectors`]);
  return table?.vectors === null ? undefined : findVectorNames(send);
}

/** Creates the vector table if it does not exist. Not called for keyword searches, which work without the extension. */
export async function createVectorTable(send: Send, schema: string): Promise<VectorNames> {
  const found = await findVectorTable(send, schema);
  if (found) return found;
  const names = (await findVectorNames(send)) ?? (await createExtension(send));
  await send(`CREATE TABLE ${schema}.vectors (
    chunk bigint PRIMARY KEY REFERENCES ${schema}.chunks ON DELETE CASCADE, vector ${names.type} NOT NULL)`);
  return names;
}

async function findVectorNames(send: Send): Promise<VectorNames | undefined> {
  const [row] = await send(
    "SELECT n.nspname AS name FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'",
  );
  const schema = row && identifier(String(row.name));
  return schema === undefined ? undefined : { type: `${schema}.vector`, distance: `OPERATOR(${schema}.<=>)` };
}

async function createExtension(send: Send): Promise<VectorNames> {
  const [available] = await send("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'");
  if (available === undefined) throw withoutExtension("is not installed on the server", "Install pgvector there");
  await send("SAVEPOINT extension");
  try {
    await send("CREATE EXTENSION vector");
  } catch (cause) {
    await send("ROLLBACK TO extension");
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw withoutExtension(
      `cannot be created in the database (${problem})`,
      "Ask an administrator to run CREATE EXTENSION vector there",
    );
  }
  const names = await findVectorNames(send);
  if (names) return names;
  throw withoutExtension("was created but cannot be found", "Look at the server's log");
}

function withoutExtension(problem: string, remedy: string): DocumentStoreError {
  return new DocumentStoreError(
    `Vectors need the extension pgvector, which ${problem}. ${remedy}, or set search_mode: keyword.`,
  );
}
