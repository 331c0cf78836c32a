import type { RowStream, StreamOptions } from "../../../port/connector.ts";
import type { ResultColumn, WarehouseRow } from "../../../port/values.ts";
import { RowBudget } from "../../../rows/row-budget.ts";
import { convertClickHouseRow } from "../values/result-values.ts";
import type { ClickHouseClient } from "./clickhouse-client.ts";
import { ClickHouseStatement } from "./clickhouse-statement.ts";

const batchSize = 500;

/** The rows of a statement, up to its limits. The statement starts when they or the columns are first asked for. */
export class ClickHouseRows implements RowStream {
  readonly #client: ClickHouseClient;
  readonly #sql: string;
  readonly #options: StreamOptions;
  readonly #budget: RowBudget;
  #statement: ClickHouseStatement | undefined;
  #columns: Promise<readonly ResultColumn[]> | undefined;

  constructor(client: ClickHouseClient, sql: string, options: StreamOptions) {
    this.#client = client;
    this.#sql = sql;
    this.#options = options;
    this.#budget = new RowBudget(options);
  }

  get truncated(): "rows" | "bytes" | undefined {
    return this.#budget.truncated;
  }

  columns(): Promise<readonly ResultColumn[]> {
    this.#statement ??= new ClickHouseStatement(this.#client, this.#options);
    this.#columns ??= this.#statement.open(this.#sql);
    return this.#columns;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WarehouseRow[]> {
    const columns = await this.columns();
    try {
      for (let rows = await this.#take(columns); rows.length > 0; rows = await this.#take(columns)) {
        const batch = this.#budget.take(rows);
        if (batch.length > 0) yield batch;
        if (this.truncated !== undefined) return;
      }
    } finally {
      await this.#statement?.stop();
    }
  }

  async #take(columns: readonly ResultColumn[]): Promise<readonly WarehouseRow[]> {
    const rows: WarehouseRow[] = [];
    while (rows.length < batchSize) {
      const row = await this.#statement?.take();
      if (row === undefined) break;
      rows.push(convertClickHouseRow(row, columns));
    }
    return rows;
  }
}
