import { TimeoutError } from "@bridle/protocol";
import type { RowStream, StreamOptions } from "../../../port/connector.ts";
import type { ResultColumn, WarehouseRow } from "../../../port/values.ts";
import type { SessionPool } from "../../../sessions/session-pool.ts";
import { timeoutFailure } from "../../../sessions/timeout-failure.ts";
import { explainStatementFailure, stoppedBy } from "../explain.ts";
import type { SqliteReply } from "./messages.ts";
import type { ReplyWait, SqliteProcess } from "./sqlite-process-client.ts";

/** A process that does not stop between two rows within this many milliseconds is ended. */
const stopMs = 250;

/** A statement that a process has begun. */
interface BegunStatement {
  readonly process: SqliteProcess;
  readonly columns: readonly ResultColumn[];
}

/** The rows of one statement, which starts with the first call of `columns` or of the iterator. */
export class SqliteRowStream implements RowStream {
  truncated: "rows" | "bytes" | undefined;
  readonly #pool: SessionPool<SqliteProcess>;
  readonly #file: string;
  readonly #sql: string;
  readonly #options: StreamOptions;
  #begun: Promise<BegunStatement> | undefined;
  #deadline = 0;
  /** Ends a statement if only its columns are read. Without this timer, nothing would release the statement's process. */
  #unreadTimer: NodeJS.Timeout | undefined;
  #unread: SqliteProcess | undefined;
  #hasEnded = false;

  /** Creates a stream. `file` is the file's name, for messages. */
  constructor(pool: SessionPool<SqliteProcess>, file: string, sql: string, options: StreamOptions) {
    this.#pool = pool;
    this.#file = file;
    this.#sql = sql;
    this.#options = options;
  }

  async columns(): Promise<readonly ResultColumn[]> {
    return (await this.#begin()).columns;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WarehouseRow[], void, void> {
    const { process } = await this.#begin();
    if (this.#hasEnded) throw this.#endError();
    this.#forgetUnread();
    let isDone = false;
    try {
      for (;;) {
        const reply = await this.#receive(process);
        if (reply.is !== "rows") {
          isDone = true;
          if (reply.is === "end") this.truncated = reply.truncated;
          return;
        }
        yield reply.rows;
        process.send({ do: "continue" });
      }
    } finally {
      await this.#end(process, isDone);
    }
  }

  #begin(): Promise<BegunStatement> {
    this.#begun ??= this.#run();
    return this.#begun;
  }

  async #run(): Promise<BegunStatement> {
    const { maxRows, maxBytes, signal } = this.#options;
    const process = await this.#pool.acquire(signal);
    this.#pool.statements += 1;
    this.#deadline = performance.now() + this.#options.timeoutMs;
    try {
      process.send({ do: "run", sql: this.#sql, maxRows, maxBytes });
      const reply = await this.#receive(process);
      this.#awaitReader(process);
      return { process, columns: reply.is === "columns" ? reply.columns : [] };
    } catch (error) {
      await this.#end(process, true);
      throw error;
    }
  }

  #awaitReader(process: SqliteProcess): void {
    this.#unread = process;
    this.#unreadTimer = setTimeout(this.#endUnread, Math.max(0, this.#deadline - performance.now()));
    this.#unreadTimer.unref();
    this.#options.signal?.addEventListener("abort", this.#endUnread);
  }

  #forgetUnread(): void {
    clearTimeout(this.#unreadTimer);
    this.#options.signal?.removeEventListener("abort", this.#endUnread);
    this.#unread = undefined;
  }

  readonly #endUnread = (): void => {
    const process = this.#unread;
    this.#forgetUnread();
    if (process !== undefined) void this.#end(process, false);
  };

  async #end(process: SqliteProcess, isDone: boolean): Promise<void> {
    this.#hasEnded = true;
    if (!isDone && !process.isBroken) await this.#stop(process);
    await this.#pool.release(process);
  }

  #endError(): Error {
    const { signal, timeoutMs } = this.#options;
    return signal?.aborted ? stoppedBy(signal) : timeoutFailure(timeoutMs);
  }

  async #receive(process: SqliteProcess): Promise<SqliteReply> {
    try {
      const reply = await process.receive(this.#wait());
      if (reply.is === "failed") throw explainStatementFailure(reply.failure, this.#file);
      return reply;
    } catch (error) {
      throw error instanceof TimeoutError && performance.now() >= this.#deadline ? this.#endError() : error;
    }
  }

  #wait(): ReplyWait {
    return { timeoutMs: this.#deadline - performance.now(), signal: this.#options.signal };
  }

  async #stop(process: SqliteProcess): Promise<void> {
    try {
      process.send({ do: "stop" });
      while ((await process.receive({ timeoutMs: stopMs })).is === "rows");
    } catch {
      // The process did not stop, so `receive` has ended it.
    }
  }
}
