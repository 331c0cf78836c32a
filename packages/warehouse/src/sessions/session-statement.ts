import { StoppedError } from "@bridle/protocol";
import type { StreamOptions } from "../port/connector.ts";
import type { StatementLimits } from "../port/limits.ts";
import type { ResultColumn, WarehouseRow } from "../port/values.ts";
import { type Pausable, RowQueue } from "../rows/row-queue.ts";
import type { RunningStatement } from "../rows/statement-rows.ts";
import type { PooledSession, SessionPool } from "./session-pool.ts";
import { timeoutFailure } from "./timeout-failure.ts";

/** The server itself ends a statement at its time limit. If the server does not, Bridle ends the statement this many milliseconds later. */
const graceMs = 1_000;

/** A session that runs callers' statements. The arrival of rows can be paused. */
export interface StreamingSession extends PooledSession, Pausable {
  /**
   * Sends a statement, and reports to `reader` its columns once, each row, and its end. Resolves when the statement was sent. If the
   * promise rejects, nothing more is reported. A row that is longer than the limits ends the statement with RowTooLongError.
   */
  run(sql: string, limits: StatementLimits, reader: StatementReader): Promise<void>;
}

/** Receives a session's reports about its statement. */
export interface StatementReader {
  /** Throws an error if the statement has ended before it was sent. */
  throwIfEnded(): void;
  onColumns(columns: readonly ResultColumn[], convert: (row: readonly unknown[]) => WarehouseRow): void;
  onRow(row: unknown[]): void;
  /** Called once, when the session is free again. */
  onEnd(failure?: Error): void;
}

/** One statement on a pooled session, which runs until its rows end, its time is over, or `stop` is called. */
export class SessionStatement implements RunningStatement, StatementReader {
  readonly #pool: SessionPool<StreamingSession>;
  readonly #session: StreamingSession;
  readonly #options: StreamOptions;
  readonly #queue: RowQueue;
  readonly #columns = Promise.withResolvers<readonly ResultColumn[]>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #timer: NodeJS.Timeout;
  #convert: (row: readonly unknown[]) => WarehouseRow = () => [];
  #isSent = false;
  #reason: Error | undefined;
  #stopping: Promise<void> | undefined;
  #givingBack: Promise<void> | undefined;

  private constructor(pool: SessionPool<StreamingSession>, session: StreamingSession, options: StreamOptions) {
    this.#pool = pool;
    this.#session = session;
    this.#options = options;
    this.#queue = new RowQueue(session);
    this.#columns.promise.catch(() => {});
    this.#timer = setTimeout(this.#onTimeout, options.timeoutMs + graceMs);
    options.signal?.addEventListener("abort", this.#onAbort);
  }

  static async start(
    pool: SessionPool<StreamingSession>,
    sql: string,
    options: StreamOptions,
  ): Promise<SessionStatement> {
    if (options.signal?.aborted) throw stopped();
    const session = await pool.acquire(options.signal);
    const statement = new SessionStatement(pool, session, options);
    pool.statements += 1;
    try {
      if (options.signal?.aborted) throw stopped();
      await session.run(sql, options, statement);
      statement.#isSent = true;
    } catch (error) {
      const reason = statement.#reason;
      await statement.stop();
      throw reason ?? error;
    }
    if (statement.#reason !== undefined) void statement.#interrupt(statement.#reason);
    return statement;
  }

  columns(): Promise<readonly ResultColumn[]> {
    return this.#columns.promise;
  }

  async take(): Promise<readonly WarehouseRow[]> {
    return (await this.#queue.take()).map(this.#convert);
  }

  /** Ends the statement on the server if it still runs, and releases its session. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  throwIfEnded(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }

  onColumns(columns: readonly ResultColumn[], convert: (row: readonly unknown[]) => WarehouseRow): void {
    this.#convert = convert;
    this.#columns.resolve(columns);
  }

  onRow(row: unknown[]): void {
    this.#queue.push(row);
  }

  onEnd(failure?: Error): void {
    const reason = this.#reason ?? failure;
    if (reason === undefined) this.#columns.resolve([]);
    else this.#columns.reject(reason);
    this.#queue.end(reason);
    this.#ended.resolve();
    void this.#giveBack();
  }

  readonly #onAbort = (): void => void this.#interrupt(stopped());

  readonly #onTimeout = (): void => void this.#interrupt(timeoutFailure(this.#options.timeoutMs));

  /** Ends the statement. Also releases the session, because a consumer that only read the columns may never ask for rows. */
  async #interrupt(reason: Error): Promise<void> {
    this.#reason ??= reason;
    this.#columns.reject(this.#reason);
    this.#queue.discard(this.#reason);
    await this.#session.interrupt();
    if (this.#isSent) await this.stop();
  }

  async #stop(): Promise<void> {
    const runs = this.#isSent && !this.#queue.hasEnded;
    this.#queue.discard();
    if (runs) await this.#session.interrupt();
    await this.#giveBack();
  }

  #giveBack(): Promise<void> {
    this.#givingBack ??= this.#release();
    return this.#givingBack;
  }

  async #release(): Promise<void> {
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    if (this.#isSent && !this.#session.isBroken) await this.#ended.promise;
    await this.#pool.release(this.#session);
  }
}

function stopped(): StoppedError {
  return new StoppedError("The statement was stopped.", { by: "signal" });
}
