import type { Pool, PoolClient, QueryResultRow } from "pg";
import { DocumentStoreError } from "./store-errors.ts";

/** Sends one statement and returns its rows. */
export type Send = (sql: string, values?: readonly unknown[]) => Promise<readonly QueryResultRow[]>;

export interface ConnectionOptions {
  readonly connectionString: string;
  /** The name of the index in errors. */
  readonly name: string;
  /** The name of the lock that writers hold. */
  readonly lock: string;
}

const maxConnections = 4;
const connectMs = 10_000;
const answerMs = 120_000;

/** Connects on first use, and again after a lost connection. All methods reject with a DocumentStoreError. */
export class PostgresConnection {
  readonly #pool: Pool;
  readonly #options: ConnectionOptions;

  private constructor(pool: Pool, options: ConnectionOptions) {
    this.#pool = pool;
    this.#options = options;
    ignoreLostConnections(pool);
  }

  static async open(options: ConnectionOptions): Promise<PostgresConnection> {
    const { default: pg } = await import("pg");
    const pool = await explained(
      options,
      async () =>
        new pg.Pool({
          connectionString: options.connectionString,
          max: maxConnections,
          connectionTimeoutMillis: connectMs,
          query_timeout: answerMs,
          application_name: "bridle",
        }),
    );
    return new PostgresConnection(pool, options);
  }

  /** Runs work in one read-only transaction. */
  read<T>(work: (send: Send) => Promise<T>): Promise<T> {
    const opening = ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"];
    return explained(this.#options, () => this.#transaction(opening, work));
  }

  /** Runs work in one transaction. Only one such transaction runs at a time for each lock, across all processes. */
  write<T>(work: (send: Send) => Promise<T>): Promise<T> {
    const takeLock = `SELECT pg_advisory_xact_lock(hashtextextended(${literal(this.#options.lock)}, 0))`;
    return explained(this.#options, () => this.#transaction(["BEGIN", takeLock], work));
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }

  async #transaction<T>(opening: readonly string[], work: (send: Send) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    const send: Send = async (sql, values = []) => (await client.query(sql, [...values])).rows;
    try {
      for (const sql of opening) await send(sql);
      const result = await work(send);
      await send("COMMIT");
      client.release();
      return result;
    } catch (error) {
      await rollBack(client);
      throw error;
    }
  }
}

/**
 * Ignores events about lost connections, because the next statement reports them. Without a listener, such an event would end the process.
 */
function ignoreLostConnections(pool: Pool): void {
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
}

/** Rolls back and releases the connection. If that fails, closes it. */
async function rollBack(client: PoolClient): Promise<void> {
  try {
    await client.query("ROLLBACK");
    client.release();
  } catch {
    client.release(true);
  }
}

/** Runs work, and adds a remedy to PostgreSQL's errors. Appendix A of PostgreSQL's documentation lists the error codes. */
async function explained<T>({ name, connectionString }: ConnectionOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof DocumentStoreError) throw cause;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const problem = cause instanceof Error ? cause.message || code : String(cause);
    throw new DocumentStoreError(
      `The index ${name} in PostgreSQL (${shownAddress(connectionString)}) cannot be used: ${problem}. ${remedyFor(code)}`,
      { cause },
    );
  }
}

function remedyFor(code: string): string {
  if (code.startsWith("28")) return "Correct the user and the password in the connection string.";
  if (code === "3D000") return "Create that database, or correct the connection string.";
  if (code === "42501") return "Let that user create a schema in the database, or ask an administrator to create it.";
  if (code.startsWith("53")) return "Give the server more memory, disk space or connections.";
  if (/^(08|57P|E[A-Z]|$)/.test(code)) return "Check that the server is running and can be reached, and try again.";
  return "Correct the cause, or drop the schema and build the index again.";
}

/** Returns the address without the user and the password. */
function shownAddress(connectionString: string): string {
  if (!URL.canParse(connectionString)) return "the address in connection_string";
  const { host, pathname } = new URL(connectionString);
  return `${host}${pathname}`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
