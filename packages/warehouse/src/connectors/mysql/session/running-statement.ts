import { StoppedError } from "@bridle/protocol";
import type { FieldPacket } from "mysql2";
import type { StreamOptions } from "../../../port/connector.ts";
import { RowQueue } from "../../../rows/row-queue.ts";
import { isLost, statementFailure, timeoutFailure } from "./failures.ts";
import type { MySqlSession } from "./mysql-session.ts";
import type { MySqlPool } from "./session-pool.ts";

/** The server ends a statement itself; if it did not, it is ended from here after this time more. */
const graceMs = 1_000;

/** One statement that runs on a session, until its rows end or `stop` is called. */
export class RunningStatement {
  readonly #pool: MySqlPool;
  readonly #session: MySqlSession;
  readonly #options: StreamOptions;
  readonly #queue: RowQueue;
  readonly #fields = Promise.withResolvers<readonly FieldPacket[]>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #timer: NodeJS.Timeout;
  #isExecuting = false;
  #reason: Error | undefined;
  #stopping: Promise<void> | undefined;

  private constructor(pool: MySqlPool, session: MySqlSession, options: StreamOptions) {
    this.#pool = pool;
    this.#session = session;
    this.#options = options;
    this.#queue = new RowQueue(session.connection);
    this.#fields.promise.catch(() => {});
    this.#timer = setTimeout(this.#onTimeout, options.timeoutMs + graceMs);
    options.signal?.addEventListener("abort", this.#onAbort);
    // The driver reports a lost connection here, and not to the statement.
    session.connection.on("error", this.#onError);
  }

  static async start(pool: MySqlPool, sql: string, options: StreamOptions): Promise<RunningStatement> {
    throwIfStopped(options.signal);
    const session = await pool.acquire();
    const statement = new RunningStatement(pool, session, options);
    try {
      pool.statements += 1;
      await statement.#execute(sql);
      return statement;
    } catch (error) {
      await statement.stop();
      throw statement.#reason ?? translate(error, options);
    }
  }

  /** Known before the first rows. */
  fields(): Promise<readonly FieldPacket[]> {
    return this.#fields.promise;
  }

  take(): Promise<unknown[][]> {
    return this.#queue.take();
  }

  async #execute(sql: string): Promise<void> {
    throwIfStopped(this.#options.signal);
    await this.#session.begin(this.#options.timeoutMs);
    const prepared = await this.#session.prepare(sql);
    if (this.#reason !== undefined) throw this.#reason;
    this.#isExecuting = true;
    const command = prepared.execute([]);
    command.on("fields", this.#onFields);
    command.on("result", this.#onRow);
    command.on("error", this.#onError);
    command.on("end", this.#onEnd);
    this.#ended.promise.then(() => this.#session.isBroken || prepared.close());
    await this.#fields.promise;
  }

  readonly #onFields = (fields: unknown): void => {
    this.#fields.resolve(Array.isArray(fields) ? fields : []);
  };

  readonly #onRow = (row: unknown): void => {
    if (Array.isArray(row)) this.#queue.push(row);
  };

  readonly #onError = (error: unknown): void => {
    if (isLost(error)) this.#session.isBroken = true;
    const failure = this.#reason ?? statementFailure(error, this.#options.timeoutMs);
    this.#fields.reject(failure);
    this.#queue.end(failure);
    this.#ended.resolve();
  };

  readonly #onEnd = (): void => {
    this.#fields.resolve([]);
    this.#queue.end();
    this.#ended.resolve();
  };

  readonly #onAbort = (): void => {
    void this.#interrupt(new StoppedError("The statement was stopped.", { by: "signal" }));
  };

  readonly #onTimeout = (): void => {
    void this.#interrupt(timeoutFailure(this.#options.timeoutMs));
  };

  async #interrupt(reason: Error): Promise<void> {
    this.#reason ??= reason;
    this.#fields.reject(reason);
    this.#queue.discard(reason);
    await this.#pool.interrupt(this.#session);
  }

  /** Ends the statement on the server if it still runs, and gives its session back. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    this.#session.connection.off("error", this.#onError);
    const runs = this.#isExecuting && !this.#queue.hasEnded;
    this.#queue.discard();
    if (runs) await this.#pool.interrupt(this.#session);
    if (this.#isExecuting && !this.#session.isBroken) await this.#ended.promise;
    await this.#pool.release(this.#session);
  }
}

function throwIfStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new StoppedError("The statement was stopped.", { by: "signal" });
}

function translate(error: unknown, { timeoutMs }: StreamOptions): unknown {
  return error instanceof Error && "errno" in error ? statementFailure(error, timeoutMs) : error;
}
