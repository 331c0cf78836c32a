import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isBridleError, NetworkError } from "@bridle/protocol";
import type { StreamOptions } from "../../../port/connector.ts";
import type { ResultColumn, WarehouseRow } from "../../../port/values.ts";
import type { RestAnswer } from "../../../rest/rest-request.ts";
import type { RunningStatement } from "../../../rows/statement-rows.ts";
import { StatementEnd } from "../../../sessions/statement-end.ts";
import type { SnowflakeConfig } from "../snowflake-settings.ts";
import { convertSnowflakeRow, snowflakeColumn } from "../values/result-values.ts";
import {
  type SnowflakeResult,
  type SnowflakeRow,
  snowflakePartitionSchema,
  snowflakeResultSchema,
  statementStatusSchema,
} from "./answers.ts";
import { explainSnowflakeFailure, SnowflakeFailure } from "./failures.ts";
import { requestBody } from "./request-body.ts";
import type { SnowflakeClient } from "./snowflake-client.ts";

/** The waits between requests for the state of a statement, in milliseconds. The last one is repeated. */
const waits = [50, 100, 200, 400, 800, 1_500];

/** The number of rows in one batch. */
const batchSize = 500;

/** One statement on the server, until its rows have been read or `stop` is called. */
export class SnowflakeStatement implements RunningStatement {
  readonly #client: SnowflakeClient;
  readonly #config: SnowflakeConfig;
  readonly #sql: string;
  readonly #options: StreamOptions;
  readonly #end: StatementEnd;
  #columns: Promise<readonly ResultColumn[]> | undefined;
  #handle: string | undefined;
  #submitting: Promise<RestAnswer> | undefined;
  /** The rows of the partition that is being read. */
  #rows: readonly SnowflakeRow[] = [];
  #partition = 0;
  #partitions = 0;
  #isDone = false;
  #stopping: Promise<void> | undefined;

  constructor(client: SnowflakeClient, config: SnowflakeConfig, sql: string, options: StreamOptions) {
    this.#client = client;
    this.#config = config;
    this.#sql = sql;
    this.#options = options;
    this.#end = new StatementEnd(options, () => void this.stop()); // a consumer that only read the columns may never ask for rows
  }

  columns(): Promise<readonly ResultColumn[]> {
    this.#columns ??= this.#open();
    return this.#columns;
  }

  /** Runs the statement to its end, and reads its first partition. */
  async #open(): Promise<readonly ResultColumn[]> {
    try {
      this.#options.signal?.throwIfAborted();
      const { resultSetMetaData, data } = await this.#waitForEnd(await this.#submit());
      this.#rows = data;
      this.#partitions = resultSetMetaData.partitionInfo.length;
      return resultSetMetaData.rowType.map(snowflakeColumn);
    } catch (error) {
      if (error instanceof SnowflakeFailure && (error.status === 408 || error.status === 422)) this.#isDone = true;
      await this.stop();
      throw this.#explain(error);
    }
  }

  async take(): Promise<readonly WarehouseRow[]> {
    const columns = await this.columns();
    try {
      while (this.#rows.length === 0 && this.#partition + 1 < this.#partitions) {
        this.#partition += 1;
        this.#rows = await this.#readPartition(this.#partition);
      }
    } catch (error) {
      throw this.#explain(error);
    }
    const batch = this.#rows.slice(0, batchSize);
    this.#rows = this.#rows.slice(batchSize);
    return batch.map((row) => convertSnowflakeRow(row, columns));
  }

  async #readPartition(number: number): Promise<readonly SnowflakeRow[]> {
    const query = { partition: String(number) };
    const answer = await this.#client.send({ path: [this.#handle ?? ""], query, signal: this.#end.signal });
    return this.#client.parse(answer, snowflakePartitionSchema).data;
  }

  /**
   * Sends the statement. The signal does not abort this request, because a statement whose answer never arrives may run and could not be
   * ended. If the request is sent again, its identifier prevents the statement from running twice.
   */
  async #submit(): Promise<RestAnswer> {
    this.#client.statements += 1;
    this.#submitting = this.#client.send({
      query: { requestId: randomUUID(), async: "true" },
      queryAgain: { retry: "true" },
      body: requestBody(this.#config, this.#sql, this.#options),
    });
    const answer = await Promise.race([this.#submitting, rejectWith(this.#end.signal)]);
    this.#handle = this.#client.parse(answer, statementStatusSchema).statementHandle;
    return answer;
  }

  async #waitForEnd(first: RestAnswer): Promise<SnowflakeResult> {
    const { signal } = this.#end;
    let answer = first;
    for (let asked = 0; answer.status === 202 && this.#handle !== undefined; asked += 1) {
      await sleep(waits[Math.min(asked, waits.length - 1)], undefined, { signal });
      answer = await this.#client.send({ path: [this.#handle], signal });
    }
    this.#isDone = true;
    return this.#client.parse(answer, snowflakeResultSchema);
  }

  #explain(error: unknown): unknown {
    const ended = this.#end.reason(error);
    if (ended !== undefined) return ended;
    const { timeoutMs } = this.#options;
    const { host, tokens } = this.#client;
    if (error instanceof SnowflakeFailure)
      return explainSnowflakeFailure(error, { host, login: tokens.credentials.place, timeoutMs });
    if (isBridleError(error)) return error;
    const reason = error instanceof Error ? error.message : String(error);
    return new NetworkError(`The connection to Snowflake at ${host} was lost (${reason}). Try again.`, {
      cause: error,
    });
  }

  /** Ends the statement on the server if it still runs. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#end.dispose();
    if (this.#isDone || this.#submitting === undefined) return;
    this.#isDone = true;
    if (this.#handle !== undefined) await this.#client.cancel(this.#handle);
    else this.#client.cancelLater(this.#submitting);
  }
}

async function rejectWith(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}
