import { TimeoutError } from "@bridle/protocol";
import type { RowStream, StreamOptions } from "../../../port/connector.ts";
import type { ResultColumn, WarehouseRow } from "../../../port/values.ts";
import { explainStatementFailure } from "../explain.ts";
import type { SqliteReply } from "./messages.ts";
import type { ProcessPool } from "./process-pool.ts";
import type { ReplyWait, SqliteProcess } from "./sqlite-process-client.ts";

/** A process that does not stop between two rows within this time is ended. */
const stopMs = 250;

/** The rows of one statement. It starts with the first call of `columns` or of the iterator. */
export class SqliteRowStream implements RowStream {
  truncated: "rows" | "bytes" | undefined;
  readonly #pool: ProcessPool;
  readonly #sql: string;
  readonly #options: StreamOptions;
  #started: Promise<{ process: SqliteProcess; columns: readonly ResultColumn[] }> | undefined;
  #deadline = 0;

  constructor(pool: ProcessPool, sql: string, options: StreamOptions) {
    this.#pool = pool;
    this.#sql = sql;
    this.#options = options;
  }

  async columns(): Promise<readonly ResultColumn[]> {
    return (await this.#start()).columns;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WarehouseRow[], void, void> {
    const { process } = await this.#start();
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
      if (!isDone && process.isUsable) await this.#stop(process);
      await this.#pool.release(process);
    }
  }

  #start(): Promise<{ process: SqliteProcess; columns: readonly ResultColumn[] }> {
    this.#started ??= this.#run();
    return this.#started;
  }

  async #run(): Promise<{ process: SqliteProcess; columns: readonly ResultColumn[] }> {
    const process = await this.#pool.acquire(this.#options.signal);
    this.#deadline = performance.now() + this.#options.timeoutMs;
    try {
      process.send({ do: "run", sql: this.#sql, maxRows: this.#options.maxRows, maxBytes: this.#options.maxBytes });
      const reply = await this.#receive(process);
      return { process, columns: reply.is === "columns" ? reply.columns : [] };
    } catch (error) {
      await this.#pool.release(process);
      throw error;
    }
  }

  async #receive(process: SqliteProcess): Promise<SqliteReply> {
    const { timeoutMs, signal } = this.#options;
    try {
      const reply = await process.receive(this.#wait());
      if (reply.is === "failed") throw explainStatementFailure(reply.failure, this.#pool.name);
      return reply;
    } catch (error) {
      if (!(error instanceof TimeoutError) || signal?.aborted) throw error;
      throw new TimeoutError(
        `The statement took longer than ${timeoutMs / 1000} s and was ended. Narrow it, or raise limits.seconds.`,
      );
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
      // The process did not stop, and `receive` has ended it.
    }
  }
}
