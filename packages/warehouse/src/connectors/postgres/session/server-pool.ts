/** Keeps connections to one PostgreSQL server. Opens connections when they are needed, and replaces lost ones. */
import { setTimeout as sleep } from "node:timers/promises";
import { importOptional } from "@bridle/core";
import { ConfigError, StoppedError } from "@bridle/protocol";
import type { Pool, PoolClient, PoolConfig } from "pg";
import { RowGuard } from "../../../rows/row-guard.ts";
import { Permits } from "../../../sessions/permits.ts";
import { defaultConnectMs } from "../../../sessions/silent-server.ts";
import { StatementAllowance } from "../../../sessions/statement-allowance.ts";
import { type ServerAddress, sendCancelRequest } from "./cancel-request.ts";
import { isLostConnection, toConnectError, toStatementError } from "./failures.ts";
import { transactionSettings } from "./read-only-portal.ts";

/**
 * The maximum number of connections. Up to this many idle connections can turn out to be lost, one after another, before a new one is
 * opened.
 */
export const maxConnections = 4;
/** Within this many milliseconds, the server must end a cancelled statement. If not, the connection is cut. */
const cancelMs = 5_000;
const repeatMs = 200;
/** The time limit of a statement that reads the catalog, in milliseconds. */
const catalogMs = 120_000;

/** The name of these sessions on the server. None of them ever writes. */
export const applicationName = "bridle warehouse";

type Driver = typeof import("pg")["default"];

export async function loadDriver(): Promise<Driver> {
  const driver = await importOptional(
    ["pg"],
    () => import("pg"),
    (problem, cause) => new ConfigError(`A connection of type postgres ${problem}`, { cause }),
  );
  return driver.default;
}

export interface ServerAccount extends ServerAddress {
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** The database without credentials, such as `localhost:5432/shop`. */
  readonly place: string;
}

/** A statement with rows that are still being read. */
export interface StoppableStatement {
  /** Ends the statement on the server, and releases the connection. */
  stop(reason: Error): Promise<void>;
}

export class ServerPool {
  readonly account: ServerAccount;
  readonly #pool: Pool;
  /** Permits to use a connection. The driver's own queue would give up after the time limit for connecting. */
  readonly #permits = new Permits(maxConnections);
  readonly #running = new Set<StoppableStatement>();
  readonly #guards = new WeakMap<PoolClient, RowGuard>();
  #statements = 0;

  constructor(driver: Driver, account: ServerAccount, connectMs = defaultConnectMs) {
    this.account = account;
    this.#pool = new driver.Pool(clientConfig(account, connectMs));
    this.#pool.on("error", () => {}); // the next statement reports the loss
    this.#pool.on("connect", (client) => {
      client.on("error", () => {});
      this.#guards.set(client, new RowGuard(client.connection.stream));
    });
  }

  /** Returns the guard that limits the rows of a connection. */
  guardOf(client: PoolClient): RowGuard {
    return this.#guards.get(client) ?? new RowGuard(undefined);
  }

  /** The number of statements sent so far. */
  get statements(): number {
    return this.#statements;
  }

  /** @throws the error that `toConnectError` returns. */
  async acquire(signal?: AbortSignal): Promise<PoolClient> {
    await this.#permits.take(signal);
    try {
      const client = await this.#pool.connect();
      this.#statements += 1;
      return client;
    } catch (cause) {
      this.#permits.give();
      throw toConnectError(cause, this.account.place);
    }
  }

  /** Runs a fixed, read-only statement of this package, and returns its rows. Lost connections are replaced. */
  async query(
    sql: string,
    values: readonly unknown[] = [],
    signal?: AbortSignal,
    allowance = new StatementAllowance(undefined),
  ): Promise<readonly unknown[]> {
    for (let tries = 0; ; tries += 1) {
      allowance.take();
      try {
        return await this.#queryOnce(sql, values, signal);
      } catch (cause) {
        if (signal?.aborted) throw new StoppedError("Reading the catalog was stopped.", { by: "signal", cause });
        if (tries === maxConnections || !isLostConnection(cause))
          throw toStatementError(cause, this.account.place, catalogMs);
      }
    }
  }

  async #queryOnce(sql: string, values: readonly unknown[], signal?: AbortSignal): Promise<readonly unknown[]> {
    signal?.throwIfAborted();
    const client = await this.acquire(signal);
    const ended = Promise.withResolvers<void>();
    const onAbort = () => void this.cancel(client, ended.promise);
    // The server itself ends a query at its time limit. If the server stays silent for longer, the connection counts as lost.
    const cut = setTimeout(() => client.connection.stream.destroy(), catalogMs + cancelMs);
    signal?.addEventListener("abort", onAbort);
    try {
      await client.query("BEGIN READ ONLY");
      await client.query(transactionSettings, [String(catalogMs), "pg_catalog"]);
      const { rows } = await client.query({ text: sql, values: [...values] });
      ended.resolve();
      await this.release(client);
      return rows;
    } catch (cause) {
      ended.resolve();
      await this.release(client, cause);
      throw cause;
    } finally {
      clearTimeout(cut);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Like `query`, with the account's own settings. */
  async queryPlainly(sql: string): Promise<readonly unknown[]> {
    const client = await this.acquire();
    try {
      return (await client.query(sql)).rows;
    } catch (cause) {
      throw toStatementError(cause, this.account.place, catalogMs);
    } finally {
      await this.release(client);
    }
  }

  /** Ends the transaction of a connection. A connection that cannot be used again is closed. */
  async release(client: PoolClient, cause?: unknown): Promise<void> {
    this.guardOf(client).end();
    try {
      if (cause !== undefined && isLostConnection(cause)) throw cause;
      await client.query("ROLLBACK");
      client.release();
    } catch {
      client.release(true);
    } finally {
      this.#permits.give();
    }
  }

  /**
   * Ends the running statement of a connection on the server. `ended` settles when the statement has ended. The server ignores a request
   * that arrives between two messages, so the request is repeated.
   */
  async cancel(client: PoolClient, ended: Promise<void>): Promise<void> {
    const cut = setTimeout(() => client.connection.stream.destroy(), cancelMs);
    const waiting = new AbortController();
    const hasEnded = ended.then(() => true);
    for (let isEnded = false; !isEnded; ) {
      await sendCancelRequest(this.account, client, AbortSignal.timeout(cancelMs)).catch(() => {}); // if this fails, the connection is cut
      const pause = sleep(repeatMs, false, { signal: waiting.signal }).catch(() => true);
      isEnded = await Promise.race([hasEnded, pause]);
    }
    waiting.abort();
    clearTimeout(cut);
  }

  /** Adds a statement, which `close` stops unless it was removed before. */
  add(statement: StoppableStatement): void {
    this.#running.add(statement);
  }

  remove(statement: StoppableStatement): void {
    this.#running.delete(statement);
  }

  async close(): Promise<void> {
    const reason = new StoppedError("The statement was stopped because its connection was closed.");
    await Promise.all([...this.#running].map((statement) => statement.stop(reason)));
    if (!this.#pool.ending) await this.#pool.end();
  }
}

/** Returns the driver's settings, with every key set: for missing keys, the driver would read environment variables and a password file. */
function clientConfig({ host, port, database, user, password, tls }: ServerAccount, connectMs: number): PoolConfig {
  return {
    host,
    port,
    database,
    user,
    password: () => password,
    ssl: tls ?? false,
    application_name: applicationName,
    client_encoding: "UTF8",
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    max: maxConnections,
    allowExitOnIdle: true,
  };
}
