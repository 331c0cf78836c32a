import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient, QueryResultRow } from "pg";
import { classifyDatabaseError, toEventLogError } from "./database-failures.ts";

/** Sends one statement and returns its rows. */
export type SendStatement = (sql: string, values?: readonly unknown[]) => Promise<readonly QueryResultRow[]>;

export interface LogDatabaseOptions {
  readonly url: string;
  /** The schema that contains the tables. */
  readonly schema: string;
  /** For how many milliseconds to try again after the connection was lost. */
  readonly patienceMs: number;
  readonly maxConnections: number;
}

const connectMs = 15_000;
/** After this many milliseconds without an answer, a connection counts as lost. */
const answerMs = 60_000;
/** For how many milliseconds to wait for another transaction's lock. */
const lockMs = 10_000;
/** Milliseconds after which the server ends an idle transaction, so that a lost machine does not keep a lock. */
const idleMs = 10_000;
const firstPauseMs = 20;
const maxPauseMs = 1000;

/** Connects to the database when needed, and again after the connection was lost. All methods reject with a StoreError. */
export class LogDatabase {
  /** The database and its schema, without the user and the password. */
  readonly address: string;
  readonly url: string;
  readonly schema: string;
  readonly patienceMs: number;
  readonly #pool: Pool;

  private constructor(pool: Pool, { url, schema, patienceMs }: LogDatabaseOptions) {
    this.#pool = pool;
    this.url = url;
    this.schema = schema;
    this.patienceMs = patienceMs;
    this.address = describeDatabase(url, schema);
    ignoreLostClients(pool);
  }

  static async create(options: LogDatabaseOptions): Promise<LogDatabase> {
    const { default: pg } = await import("pg");
    try {
      const pool = new pg.Pool({
        connectionString: options.url,
        max: options.maxConnections,
        connectionTimeoutMillis: connectMs,
        query_timeout: answerMs,
        keepAlive: true,
        allowExitOnIdle: true,
        application_name: "bridle",
      });
      return new LogDatabase(pool, options);
    } catch (cause) {
      throw toEventLogError(cause, describeDatabase(options.url, options.schema));
    }
  }

  /** Runs work in a transaction that sees a consistent state of the database. Tries again if the connection is lost. */
  read<T>(work: (send: SendStatement) => Promise<T>): Promise<T> {
    return this.#persistently("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", work);
  }

  /**
   * Runs work in a transaction. When the promise resolves, the transaction survives a power cut. Tries again if the connection is lost.
   * Contract: the outcome of the first try may be unknown, so `work` must have the same effect if it runs twice.
   */
  write<T>(work: (send: SendStatement) => Promise<T>): Promise<T> {
    return this.#persistently(writing, work);
  }

  /** Like `write`, but tries only once, and rejects with the database's own error. */
  writeOnce<T>(work: (send: SendStatement) => Promise<T>): Promise<T> {
    return this.#transaction(writing, work);
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }

  async #persistently<T>(begin: string, work: (send: SendStatement) => Promise<T>): Promise<T> {
    const deadline = performance.now() + this.patienceMs;
    for (let tries = 0; ; tries++) {
      try {
        return await this.#transaction(begin, work);
      } catch (error) {
        if (!canTryAgain(error) || this.#pool.ending || performance.now() > deadline) {
          throw toEventLogError(error, this.address);
        }
      }
      await sleep(pauseAfter(tries));
    }
  }

  async #transaction<T>(begin: string, work: (send: SendStatement) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    const send: SendStatement = async (sql, values = []) => (await client.query(sql, [...values])).rows;
    try {
      await client.query(`${begin}; SET LOCAL search_path TO ${quoteIdentifier(this.schema)}; ${limits}`);
      const result = await work(send);
      await client.query("COMMIT");
      client.release();
      return result;
    } catch (error) {
      await abandon(client, error);
      throw error;
    }
  }
}

/** With `on`, a commit also waits for a synchronous standby, if there is one. */
const writing = "BEGIN; SET LOCAL synchronous_commit TO on";
const limits = `SET LOCAL lock_timeout TO ${lockMs}; SET LOCAL idle_in_transaction_session_timeout TO ${idleMs}`;

/** Whether a transaction may succeed if it is tried again soon. */
export function canTryAgain(error: unknown): boolean {
  return ["lost", "conflict"].includes(classifyDatabaseError(error));
}

/** Returns the pause after a failed try, in milliseconds. `tries` counts from 0. */
export function pauseAfter(tries: number): number {
  return Math.min(firstPauseMs * 2 ** tries, maxPauseMs);
}

/**
 * Ignores events about a lost idle connection, because the next statement reports the loss. Without a listener, such an event would end the
 * process.
 */
function ignoreLostClients(pool: Pool): void {
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
}

/** Rolls back. A connection that cannot roll back is not used again. */
async function abandon(client: PoolClient, error: unknown): Promise<void> {
  if (classifyDatabaseError(error) === "lost") return client.release(true);
  try {
    await client.query("ROLLBACK");
    client.release();
  } catch {
    client.release(true);
  }
}

/** @example describeDatabase("postgresql://ada:pw@db.example/shop", "bridle") // "PostgreSQL (db.example/shop, schema bridle)" */
export function describeDatabase(url: string, schema: string): string {
  if (!URL.canParse(url)) return `PostgreSQL (schema ${schema})`;
  const { host, pathname } = new URL(url);
  return `PostgreSQL (${host}${pathname}, schema ${schema})`;
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
