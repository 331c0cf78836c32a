import { StoreError, StoreVersionError } from "@bridle/protocol";
import { type LogDatabase, quoteIdentifier, type SendStatement } from "./log-database.ts";

/**
 * The statements that each version adds to the version before it. A published version never changes; add another one. `runs.last_seq` is
 * NULL until the run ends; `is_run` is false for the initial history of a session. A lease contains the owner that writes a stream, and a
 * token for the period in which this owner holds the stream. An owner is alive until `expires_at`, which the owner renews; an owner without
 * a row is dead. `snapshots.after` is 0 for a snapshot that needs no earlier one. If the stream's owner has closed a question,
 * `answers.answer` is NULL until the outcome is logged as an event.
 */
const logMigrations: readonly string[] = [
  `
  CREATE TABLE streams (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    name text COLLATE "C" NOT NULL,
    UNIQUE (kind, name)
  );
  CREATE TABLE runs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stream bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    is_run boolean NOT NULL,
    started_at float8 NOT NULL,
    first_seq bigint NOT NULL,
    last_seq bigint,
    UNIQUE (stream, name)
  );
  CREATE INDEX runs_by_name ON runs (name, id);
  CREATE INDEX runs_by_stream ON runs (stream, id);
  CREATE INDEX open_runs ON runs (stream) WHERE last_seq IS NULL;
  CREATE TABLE events (
    stream bigint NOT NULL,
    seq bigint NOT NULL,
    run bigint NOT NULL,
    time float8 NOT NULL,
    type text NOT NULL,
    fields text NOT NULL,
    PRIMARY KEY (stream, seq)
  );
  CREATE INDEX approval_events ON events (stream, seq) WHERE type IN ('approval.requested', 'approval.decided');
  CREATE INDEX events_without_deltas ON events (stream, seq) WHERE type NOT IN ('text.delta', 'reasoning.delta');
  CREATE TABLE sessions (
    stream bigint PRIMARY KEY,
    started_at float8 NOT NULL,
    last_at float8 NOT NULL,
    last_seq bigint NOT NULL,
    runs integer NOT NULL,
    outline text NOT NULL
  );
  CREATE INDEX sessions_by_time ON sessions (last_at, stream);
  CREATE TABLE contents (
    id bytea NOT NULL,
    stream bigint NOT NULL,
    root bytea NOT NULL,
    depth integer NOT NULL,
    PRIMARY KEY (id, stream)
  );
  CREATE INDEX contents_by_stream ON contents (stream);
  CREATE TABLE parts (stream bigint NOT NULL, id bytea NOT NULL, content bytea NOT NULL, PRIMARY KEY (stream, id));
  CREATE TABLE owners (
    token uuid PRIMARY KEY,
    lease_ms integer NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE TABLE leases (
    stream bigint PRIMARY KEY,
    owner uuid NOT NULL,
    holder text NOT NULL,
    token uuid NOT NULL
  );
  CREATE TABLE answers (
    approval text PRIMARY KEY,
    stream bigint NOT NULL,
    answer text,
    owner uuid NOT NULL,
    token uuid NOT NULL
  );
  CREATE INDEX answers_by_stream ON answers (stream);
  `,
  `
  CREATE TABLE snapshots (
    stream bigint NOT NULL,
    seq bigint NOT NULL,
    after bigint NOT NULL,
    content text NOT NULL,
    PRIMARY KEY (stream, seq)
  );
  `,
  `
  CREATE TABLE limits (
    account text PRIMARY KEY,
    window_name text NOT NULL,
    resets_at float8 NOT NULL
  );
  `,
];

/** The tables that contain a stream's rows. */
export const streamTables = [
  "answers",
  "events",
  "runs",
  "sessions",
  "contents",
  "parts",
  "snapshots",
  "leases",
] as const;

/**
 * Creates missing tables, and migrates tables of an earlier version. Several processes may do this at the same time.
 *
 * @throws StoreVersionError if a later version created the tables, which stay unchanged.
 */
export function prepareEventLog(database: LogDatabase, steps: readonly string[] = logMigrations): Promise<void> {
  return database.writeOnce(async (send) => {
    await refuseEncoding(send, database);
    const { schema } = database;
    if ((await readLogVersion(send, schema)) === steps.length) return;
    await send("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`bridle event log ${schema}`]);
    const version = await readLogVersion(send, schema); // another process may have migrated the tables
    if (version > steps.length) throw new StoreVersionError(database.address, version, steps.length);
    if (version === steps.length) return;
    if (version === 0) await createVersionTable(send, schema);
    for (const step of steps.slice(version)) for (const statement of statementsOf(step)) await send(statement);
    await send("UPDATE format SET version = $1", [steps.length]);
  });
}

/**
 * Returns the version of the tables, 0 if there are none. Does not use functions such as `to_regclass`, which may return the state before
 * the lock.
 */
async function readLogVersion(send: SendStatement, schema: string): Promise<number> {
  const [found] = await send(
    "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = 'format'",
    [schema],
  );
  if (found === undefined) return 0;
  const [row] = await send(`SELECT version FROM ${quoteIdentifier(schema)}.format`);
  return Number(row?.version ?? 0);
}

/**
 * Creates the version table and, if it is missing, the schema. `CREATE SCHEMA IF NOT EXISTS` would need the permission to create schemas
 * even if the schema exists.
 */
async function createVersionTable(send: SendStatement, schema: string): Promise<void> {
  const [found] = await send("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
  if (found === undefined) await send(`CREATE SCHEMA ${quoteIdentifier(schema)}`);
  await send("CREATE TABLE format (version integer NOT NULL)");
  await send("INSERT INTO format VALUES (0)");
}

function statementsOf(step: string): string[] {
  return step.split(";").filter((statement) => statement.trim() !== "");
}

async function refuseEncoding(send: SendStatement, { address }: LogDatabase): Promise<void> {
  const [row] = await send("SHOW server_encoding");
  if (row?.server_encoding === "UTF8") return;
  const message = `The database of the event log in ${address} has the encoding ${row?.server_encoding}, which cannot hold every text. Create one with the encoding UTF8.`;
  throw new StoreError(message, address);
}
