import type { RowStream, StreamOptions } from "../../../port/connector.ts";
import type { ResultColumn, WarehouseRow } from "../../../port/values.ts";
import { RowBudget } from "../../../rows/row-budget.ts";
import type { BigQueryField } from "../values/fields.ts";
import { bigqueryColumn, convertBigQueryRow } from "../values/result-values.ts";
import type { BigQueryClient } from "./bigquery-client.ts";
import { BigQueryStatement, type StatementSettings } from "./bigquery-statement.ts";
import type { BigQueryPage } from "./job-answers.ts";

const batchSize = 500;

/** The rows of a statement, up to its limits. The statement starts with the first request for rows or columns. */
export class BigQueryRows implements RowStream {
  readonly #statement: BigQueryStatement;
  readonly #sql: string;
  readonly #budget: RowBudget;
  #first: Promise<BigQueryPage> | undefined;

  constructor(client: BigQueryClient, settings: StatementSettings, sql: string, options: StreamOptions) {
    this.#statement = new BigQueryStatement(client, settings, options);
    this.#sql = sql;
    this.#budget = new RowBudget(options);
  }

  get truncated(): "rows" | "bytes" | undefined {
    return this.#budget.truncated;
  }

  async columns(): Promise<readonly ResultColumn[]> {
    return (await this.#open()).schema?.fields.map(bigqueryColumn) ?? [];
  }

  #open(): Promise<BigQueryPage> {
    this.#first ??= this.#statement.open(this.#sql);
    return this.#first;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WarehouseRow[]> {
    const first = await this.#open();
    const fields = first.schema?.fields ?? [];
    try {
      for (let page = first; ; page = await this.#statement.next(page.pageToken)) {
        yield* this.#batches(page, fields);
        if (this.truncated !== undefined || page.pageToken === undefined) return;
      }
    } finally {
      await this.#statement.stop();
    }
  }

  *#batches({ rows }: BigQueryPage, fields: readonly BigQueryField[]): Generator<readonly WarehouseRow[]> {
    for (let start = 0; start < rows.length && this.truncated === undefined; start += batchSize) {
      const converted = rows.slice(start, start + batchSize).map((row) => convertBigQueryRow(row, fields));
      const batch = this.#budget.take(converted);
      if (batch.length > 0) yield batch;
    }
  }
}
