import { AbortError } from "@bridle/protocol";
import type { RowStream, StreamOptions } from "../port/connector.ts";
import type { ResultColumn, WarehouseRow } from "../port/values.ts";
import { timeoutFailure } from "../sessions/timeout-failure.ts";
import { type EngineReply, type EngineRequest, toEngineError } from "./engine-messages.ts";
import type { EngineProcess } from "./engine-process.ts";

/**
 * The engine itself ends a statement at its time limit. If the engine cannot, Bridle ends the engine's process this many milliseconds
 * later.
 */
const graceMs = 5_000;

/** A statement that a process has begun. */
interface BegunStatement {
  readonly process: EngineProcess;
  readonly id: number;
  readonly columns: readonly ResultColumn[];
}

/** The rows of a statement that runs in an engine process. The statement starts with the first call of `columns` or of the iterator. */
export class ProcessRows implements RowStream {
  truncated: "rows" | "bytes" | undefined;
  readonly #sql: string;
  readonly #options: StreamOptions;
  readonly #findProcess: () => Promise<EngineProcess>;
  #begun: Promise<BegunStatement> | undefined;
  #deadline = 0;

  constructor(sql: string, options: StreamOptions, findProcess: () => Promise<EngineProcess>) {
    this.#sql = sql;
    this.#options = options;
    this.#findProcess = findProcess;
  }

  async columns(): Promise<readonly ResultColumn[]> {
    return (await this.#begin()).columns;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WarehouseRow[], void, void> {
    const { process, id } = await this.#begin();
    let isDone = false;
    try {
      for (;;) {
        const reply = await this.#ask(process, id, { do: "next" });
        isDone = reply.is !== "rows";
        if (reply.is === "end") this.truncated = reply.truncated;
        if (reply.is !== "rows") return;
        yield reply.rows;
      }
    } catch (error) {
      isDone = true;
      throw error;
    } finally {
      if (!isDone) await this.#ask(process, id, { do: "stop" }).catch(() => {}); // after a failure, the statement has ended too
    }
  }

  #begin(): Promise<BegunStatement> {
    this.#begun ??= this.#run();
    return this.#begun;
  }

  async #run(): Promise<BegunStatement> {
    const { maxRows, maxBytes, timeoutMs, signal } = this.#options;
    if (signal?.aborted) throw this.#stopped();
    const process = await this.#findProcess();
    const id = process.takeNumber();
    this.#deadline = performance.now() + timeoutMs + graceMs;
    signal?.addEventListener("abort", () => process.tell(id, { do: "abort" }), { once: true });
    if (signal?.aborted) throw this.#stopped();
    const limits = { maxRows, maxBytes, timeoutMs };
    const reply = await this.#ask(process, id, { do: "run", sql: this.#sql, limits });
    return { process, id, columns: reply.is === "columns" ? reply.columns : [] };
  }

  /**
   * Sends a request. If the statement does not end in time, ends the process, because nothing else can end an engine function that does not
   * return.
   */
  async #ask(process: EngineProcess, id: number, request: EngineRequest): Promise<EngineReply> {
    let isLate = false;
    const end = () => {
      isLate = true;
      void process.destroy();
    };
    const timer = setTimeout(end, Math.max(0, this.#deadline - performance.now()));
    timer.unref();
    try {
      const reply = await process.ask(id, request);
      if (reply.is === "failed") throw toEngineError(reply.failure);
      return reply;
    } catch (error) {
      if (this.#options.signal?.aborted) throw this.#stopped();
      throw isLate ? timeoutFailure(this.#options.timeoutMs, error) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  #stopped(): AbortError {
    return new AbortError("The statement was stopped.", { cause: this.#options.signal?.reason });
  }
}
