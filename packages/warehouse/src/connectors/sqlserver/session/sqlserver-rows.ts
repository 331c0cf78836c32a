import type { RowStream, StreamOptions } from "../../../port/connector.ts";
import type { ResultColumn, WarehouseRow } from "../../../port/values.ts";
import { RowBudget } from "../../../rows/row-budget.ts";
import { convertSqlServerRow, sqlserverColumn } from "../values/result-values.ts";
import type { SqlServerPool } from "./sqlserver-pool.ts";
import { SqlServerStatement } from "./sqlserver-statement.ts";

/** The rows of a statement, up to its limits. The statement starts when they or the columns are first asked for. */
export class SqlServerRows implements RowStream {
  readonly #pool: SqlServerPool;
  readonly #sql: string;
  readonly #options: StreamOptions;
  readonly #budget: RowBudget;
  #running: Promise<SqlServerStatement> | undefined;

  constructor(pool: SqlServerPool, sql: string, options: StreamOptions) {
    this.#pool = pool;
    this.#sql = sql;
    this.#options = options;
    this.#budget = new RowBudget(options);
  }

  get truncated(): "rows" | "bytes" | undefined {
    return this.#budget.truncated;
  }

  async columns(): Promise<readonly ResultColumn[]> {
    return (await (await this.#start()).columns()).map(sqlserverColumn);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WarehouseRow[]> {
    const running = await this.#start();
    try {
      const driver = await running.columns();
      const columns = driver.map(sqlserverColumn);
      for (let rows = await running.take(); rows.length > 0; rows = await running.take()) {
        const batch = this.#budget.take(rows.map((row) => convertSqlServerRow(row, columns, driver)));
        if (batch.length > 0) yield batch;
        if (this.truncated !== undefined) return;
      }
    } finally {
      await running.stop();
    }
  }

  #start(): Promise<SqlServerStatement> {
    this.#running ??= SqlServerStatement.start(this.#pool, this.#sql, this.#options);
    return this.#running;
  }
}
