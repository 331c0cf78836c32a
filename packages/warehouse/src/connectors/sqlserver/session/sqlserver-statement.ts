import { StoppedError } from "@bridle/protocol";
import type { Request } from "tedious";
import type { StreamOptions } from "../../../port/connector.ts";
import { RowQueue } from "../../../rows/row-queue.ts";
import type { DriverColumn } from "../values/result-values.ts";
import { isLostSqlServer, sqlserverFailure } from "./failures.ts";
import type { SqlServerPool } from "./sqlserver-pool.ts";
import { driverColumns, type SqlServerSession, valuesOf } from "./sqlserver-session.ts";

/** One statement that runs on a session, until its rows end or `stop` is called. */
export class SqlServerStatement {
  readonly #pool: SqlServerPool;
  readonly #session: SqlServerSession;
  readonly #options: StreamOptions;
  readonly #request: Request;
  readonly #queue: RowQueue;
  readonly #columns = Promise.withResolvers<readonly DriverColumn[]>();
  readonly #ended = Promise.withResolvers<void>();
  #results = 0;
  #reason: Error | undefined;
  #stopping: Promise<void> | undefined;

  private constructor(pool: SqlServerPool, session: SqlServerSession, sql: string, options: StreamOptions) {
    this.#pool = pool;
    this.#session = session;
    this.#options = options;
    this.#request = session.createRequest(sql, this.#onDone);
    this.#request.setTimeout(options.timeoutMs);
    this.#request.on("columnMetadata", this.#onColumns);
    this.#request.on("row", this.#onRow);
    this.#queue = new RowQueue(this.#request);
    this.#columns.promise.catch(() => {});
  }

  static async start(pool: SqlServerPool, sql: string, options: StreamOptions): Promise<SqlServerStatement> {
    if (options.signal?.aborted) throw stopped();
    const session = await pool.acquire();
    pool.statements += 1;
    const statement = new SqlServerStatement(pool, session, sql, options);
    try {
      await session.begin(pool.isolation);
    } catch (error) {
      await pool.release(session);
      throw error;
    }
    options.signal?.addEventListener("abort", statement.#onAbort);
    if (options.signal?.aborted) statement.#onAbort();
    // As sp_executesql, so that the text has a scope of its own.
    session.connection.execSql(statement.#request);
    return statement;
  }

  async columns(): Promise<readonly DriverColumn[]> {
    try {
      return await this.#columns.promise;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  take(): Promise<unknown[][]> {
    return this.#queue.take();
  }

  readonly #onColumns = (columns: unknown): void => {
    this.#results += 1;
    this.#columns.resolve(driverColumns(columns));
  };

  /** Only the first result counts: the parser lets no statement through that has two. */
  readonly #onRow = (row: unknown): void => {
    if (this.#results === 1) this.#queue.push(valuesOf(row));
  };

  readonly #onDone = (error: Error | null | undefined): void => {
    if (isLostSqlServer(error)) this.#session.isBroken = true;
    const failure = error ? (this.#reason ?? sqlserverFailure(error, this.#options.timeoutMs)) : this.#reason;
    if (failure === undefined) this.#columns.resolve([]);
    else this.#columns.reject(failure);
    this.#queue.end(failure);
    this.#ended.resolve();
  };

  readonly #onAbort = (): void => {
    this.#reason ??= stopped();
    this.#queue.discard(this.#reason);
    this.#columns.reject(this.#reason);
    this.#session.connection.cancel();
  };

  /** Ends the statement on the server if it still runs, and gives its session back. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    const runs = !this.#queue.hasEnded;
    this.#queue.discard();
    if (runs) this.#session.connection.cancel();
    await this.#ended.promise;
    await this.#pool.release(this.#session);
  }
}

function stopped(): StoppedError {
  return new StoppedError("The statement was stopped.", { by: "signal" });
}
