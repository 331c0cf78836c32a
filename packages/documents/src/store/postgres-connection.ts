import type { Pool, PoolClient, QueryResultRow } from "pg";
import { DocumentStoreError } from "./store-errors.ts";

/** Sends one statement. */
export type Send = (sql: string, values?: readonly unknown[]) => Promise<readonly QueryResultRow[]>;

export interface PostgresConnection {
  /** Work in one transaction that reads. */
  read<T>(work: (send: Send) => Promise<T>): Promise<T>;
  /** The same, of which only one is under way at a time for each lock, over all processes. */
  write<T>(work: (send: Send) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  readonly connectionString: string;
  /** What the index is called in errors. */
  readonly name: string;
  /** Whoever writes holds it. */
  readonly lock: string;
}

const connections = 4;
const connectMs = 10_000;
const answerMs = 120_000;

/** Connects when it is first used, and anew after a connection was lost. All of it rejects with DocumentStoreError. */
export async function connect({ connectionString, name, lock }: ConnectionOptions): Promise<PostgresConnection> {
  const { default: pg } = await import("pg");
  const explain = explainer(name, placeOf(connectionString));
  const pool = await attempt(
    explain,
    async () =>
      new pg.Pool({
        connectionString,
        max: connections,
        connectionTimeoutMillis: connectMs,
        query_timeout: answerMs,
        application_name: "bridle",
      }),
  );
  ignoreLostOnes(pool);

  async function transaction<T>(opening: readonly string[], work: (send: Send) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    const send: Send = async (sql, values = []) => (await client.query(sql, [...values])).rows;
    try {
      for (const sql of opening) await send(sql);
      const result = await work(send);
      await send("COMMIT");
      client.release();
      return result;
    } catch (error) {
      await endBadly(client);
      throw error;
    }
  }

  const takeLock = `SELECT pg_advisory_xact_lock(hashtextextended(${literal(lock)}, 0))`;
  return {
    read: (work) => attempt(explain, () => transaction(["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"], work)),
    write: (work) => attempt(explain, () => transaction(["BEGIN", takeLock], work)),
    async close() {
      if (!pool.ending) await pool.end();
    },
  };
}

/** Its user is told by the next statement; without a listener the process would end. */
function ignoreLostOnes(pool: Pool): void {
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
}

/** A connection whose transaction cannot be taken back is not used again. */
async function endBadly(client: PoolClient): Promise<void> {
  try {
    await client.query("ROLLBACK");
    client.release();
  } catch {
    client.release(true);
  }
}

async function attempt<T>(explain: (cause: unknown) => DocumentStoreError, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof DocumentStoreError ? cause : explain(cause);
  }
}

/** The codes are those of PostgreSQL's documentation, appendix A. */
function explainer(name: string, place: string): (cause: unknown) => DocumentStoreError {
  return (cause) => {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const problem = cause instanceof Error ? cause.message || code : String(cause);
    return new DocumentStoreError(
      `The index ${name} in PostgreSQL (${place}) cannot be used: ${problem}. ${remedyFor(code)}`,
      { cause },
    );
  };
}

function remedyFor(code: string): string {
  if (code.startsWith("28")) return "Correct the user and the password in the connection string.";
  if (code === "3D000") return "Create that database, or correct the connection string.";
  if (code === "42501") return "Give that user the right to create a schema in the database, or have it made.";
  if (code.startsWith("53")) return "Give the server more room.";
  if (/^(08|57P|E[A-Z]|$)/.test(code)) return "See that the server runs and can be reached, and try again.";
  return "Correct what it says, or drop the schema and index anew.";
}

/** Without a user and a password. */
function placeOf(connectionString: string): string {
  if (!URL.canParse(connectionString)) return "the one that connection_string names";
  const { host, pathname } = new URL(connectionString);
  return `${host}${pathname}`;
}

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
