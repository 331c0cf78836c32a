import type { RowStream, StreamOptions } from "../port/connector.ts";
import type { ResultColumn, WarehouseRow } from "../port/values.ts";
import { RowBudget } from "./row-budget.ts";
import { RowTooLongError } from "./row-guard.ts";

/** A statement that was sent. */
export interface RunningStatement {
  /** Returns the columns. Rejects with the error if the statement ended before its first rows. */
  columns(): Promise<readonly ResultColumn[]>;
  /**
   * Returns the next rows; empty at the end. Rejects with the error that ended the statement, after the rows before it. The error is a
   * RowTooLongError if the next row is longer than the limits.
   */
  take(): Promise<readonly WarehouseRow[]>;
  /** Ends the statement on the server if it still runs, and releases its resources. May be called several times. */
  stop(): Promise<void>;
}

/** The rows of a statement, up to its limits. The statement starts with the first request for rows or columns. */
export class StatementRows implements RowStream {
  readonly #start: () => Promise<RunningStatement>;
  readonly #budget: RowBudget;
  #started: Promise<RunningStatement> | undefined;

  constructor(start: () => Promise<RunningStatement>, options: StreamOptions) {
    this.#start = start;
    this.#budget = new RowBudget(options);
  }

  get truncated(): "rows" | "bytes" | undefined {
    return this.#budget.truncated;
  }

  async columns(): Promise<readonly ResultColumn[]> {
    const running = await this.#run();
    try {
      return await running.columns();
    } catch (error) {
      await running.stop();
      throw error;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WarehouseRow[]> {
    const running = await this.#run();
    try {
      await running.columns();
      for (let rows = await running.take(); rows.length > 0; rows = await running.take()) {
        const batch = this.#budget.take(rows);
        if (batch.length > 0) yield batch;
        if (this.truncated !== undefined) return;
      }
    } catch (error) {
      if (!(error instanceof RowTooLongError)) throw error;
      this.#budget.cut();
    } finally {
      await running.stop();
    }
  }

  #run(): Promise<RunningStatement> {
    this.#started ??= this.#start();
    return this.#started;
  }
}
