import type { RowStream, StreamOptions } from "../../../port/connector.ts";
import type { ResultColumn, WarehouseRow } from "../../../port/values.ts";
import { RowBudget } from "../../../rows/row-budget.ts";
import { convertRow, resultColumn } from "../values/result-values.ts";
import { RunningStatement } from "./running-statement.ts";
import type { MySqlPool } from "./session-pool.ts";

/** The rows of a statement, up to its limits. The statement starts when they or the columns are first asked for. */
export class MySqlRows implements RowStream {
  readonly #budget: RowBudget;
  readonly #pool: MySqlPool;
  readonly #sql: string;
  readonly #options: StreamOptions;
  #running: Promise<RunningStatement> | undefined;

  constructor(pool: MySqlPool, sql: string, options: StreamOptions) {
    this.#pool = pool;
    this.#sql = sql;
    this.#options = options;
    this.#budget = new RowBudget(options);
  }

  get truncated(): "rows" | "bytes" | undefined {
    return this.#budget.truncated;
  }

  async columns(): Promise<readonly ResultColumn[]> {
    const fields = await (await this.#start()).fields();
    return fields.map(resultColumn);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WarehouseRow[]> {
    const running = await this.#start();
    try {
      const fields = await running.fields();
      const columns = fields.map(resultColumn);
      for (let rows = await running.take(); rows.length > 0; rows = await running.take()) {
        const batch = this.#budget.take(rows.map((row) => convertRow(row, columns)));
        if (batch.length > 0) yield batch;
        if (this.truncated !== undefined) return;
      }
    } finally {
      await running.stop();
    }
  }

  #start(): Promise<RunningStatement> {
    this.#running ??= RunningStatement.start(this.#pool, this.#sql, this.#options);
    return this.#running;
  }
}
