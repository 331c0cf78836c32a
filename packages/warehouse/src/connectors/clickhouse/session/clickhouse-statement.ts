import { randomUUID } from "node:crypto";
import { InvalidRequestError, NetworkError } from "@bridle/protocol";
import { z } from "zod";
import type { StreamOptions } from "../../../port/connector.ts";
import { maxRowBytes } from "../../../port/limits.ts";
import type { ResultColumn, WarehouseRow } from "../../../port/values.ts";
import { RowTooLongError } from "../../../rows/row-guard.ts";
import type { RunningStatement } from "../../../rows/statement-rows.ts";
import { StatementEnd } from "../../../sessions/statement-end.ts";
import { parseExactJson } from "../values/exact-json.ts";
import { clickhouseColumn, convertClickHouseRow } from "../values/result-values.ts";
import type { ClickHouseClient } from "./clickhouse-client.ts";
import { clickhouseError, clickhouseRefusal } from "./failures.ts";

/** The number of rows in one batch, and its approximate number of characters. */
const batch = { rows: 500, characters: 1_000_000 };

const texts = z.array(z.string());
const values = z.array(z.unknown());

/** One running statement, until its lines end or `stop` is called. */
export class ClickHouseStatement implements RunningStatement {
  readonly #client: ClickHouseClient;
  readonly #sql: string;
  readonly #options: StreamOptions;
  readonly #id = randomUUID();
  readonly #end: StatementEnd;
  #lines: AsyncGenerator<string> | undefined;
  #columns: Promise<readonly ResultColumn[]> | undefined;
  /** The length of the line that was last read. */
  #lineLength = 0;
  #tooLong: RowTooLongError | undefined;
  #isSent = false;
  #isDone = false;
  #stopping: Promise<void> | undefined;

  constructor(client: ClickHouseClient, sql: string, options: StreamOptions) {
    this.#client = client;
    this.#sql = sql;
    this.#options = options;
    this.#end = new StatementEnd(options, () => void this.stop()); // a consumer that only read the columns may never ask for rows
  }

  /** Sends the statement, and reads its columns. */
  columns(): Promise<readonly ResultColumn[]> {
    this.#columns ??= this.#open();
    return this.#columns;
  }

  async #open(): Promise<readonly ResultColumn[]> {
    try {
      this.#options.signal?.throwIfAborted();
      this.#isSent = true;
      const sent = { id: this.#id, timeoutMs: this.#options.timeoutMs, signal: this.#end.signal };
      this.#client.statements += 1;
      this.#lines = readLines(await this.#client.run(this.#sql, sent), maxRowBytes(this.#options));
      const names = texts.parse(await this.#read());
      const types = texts.parse(await this.#read());
      return names.map((name, index) => clickhouseColumn(name, types[index] ?? "String"));
    } catch (error) {
      await this.stop();
      throw this.#explain(error);
    }
  }

  async take(): Promise<readonly WarehouseRow[]> {
    const columns = await this.columns();
    const rows: WarehouseRow[] = [];
    try {
      for (let read = 0; rows.length < batch.rows && read < batch.characters; read += this.#lineLength) {
        const row = await this.#read();
        if (row === undefined) break;
        rows.push(convertClickHouseRow(values.parse(row), columns));
      }
      return rows;
    } catch (error) {
      if (error instanceof RowTooLongError && rows.length > 0) return this.#beforeLongRow(rows, error);
      throw this.#explain(error);
    }
  }

  /** Returns the rows before a row that is too long, and makes the next call throw. */
  #beforeLongRow(rows: readonly WarehouseRow[], error: RowTooLongError): readonly WarehouseRow[] {
    this.#tooLong = error;
    return rows;
  }

  async #read(): Promise<unknown> {
    if (this.#tooLong !== undefined) throw this.#tooLong;
    const next = await this.#lines?.next();
    this.#lineLength = typeof next?.value === "string" ? next.value.length : 0;
    if (next === undefined || next.done) {
      this.#isDone = true;
      return undefined;
    }
    if (!next.value.startsWith("[") || clickhouseError(next.value.slice(-10_000)) !== undefined)
      return this.#fail(next.value);
    return parseExactJson(next.value);
  }

  /** Throws the error that an incomplete result ends with. */
  async #fail(line: string): Promise<never> {
    let text = line;
    for (let next = await this.#lines?.next(); next !== undefined && !next.done; next = await this.#lines?.next())
      text += `\n${next.value}`;
    const { place, user } = this.#client;
    if (clickhouseError(text) === undefined)
      throw new NetworkError(`The result of ClickHouse at ${place} broke off. Try again.`);
    throw clickhouseRefusal(200, text, { place, user, timeoutMs: this.#options.timeoutMs });
  }

  #explain(error: unknown): unknown {
    const reason = this.#end.reason(error);
    if (reason !== undefined) return reason;
    if (error instanceof TypeError || (error instanceof Error && error.name === "AbortError"))
      return new NetworkError(`The connection to ClickHouse was lost (${error.message}). Try again.`, { cause: error });
    if (error instanceof z.ZodError || error instanceof SyntaxError)
      return new InvalidRequestError("ClickHouse sent a result that cannot be read.", { cause: error });
    return error;
  }

  /** Ends the statement on the server if it still runs. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#end.dispose();
    if (this.#isDone || !this.#isSent) return;
    this.#isDone = true;
    await this.#client.kill(this.#id);
  }
}

/** Reads the lines of a response. Throws RowTooLongError for a line with more than `max` characters. */
async function* readLines(response: Response, max: number): AsyncGenerator<string> {
  let parts: string[] = [];
  let length = 0;
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const [first = "", ...others] = text.split("\n");
    parts.push(first);
    length += first.length;
    if (length > max) throw new RowTooLongError();
    const last = others.pop();
    if (last === undefined) continue;
    yield parts.join("");
    yield* others;
    parts = [last];
    length = last.length;
  }
  if (length > 0) yield parts.join("");
}
