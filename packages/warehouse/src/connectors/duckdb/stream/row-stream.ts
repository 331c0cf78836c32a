/** Reads the rows of one statement in chunks, from a separate connection. */
import { AbortError, InvalidRequestError } from "@bridle/protocol";
import type { DuckDBConnection, DuckDBDataChunk, DuckDBResult } from "@duckdb/node-api";
import type { RowStream, StreamOptions } from "../../../port/connector.ts";
import { maxRowBytes } from "../../../port/limits.ts";
import type { ResultColumn, WarehouseRow } from "../../../port/values.ts";
import { RowBudget } from "../../../rows/row-budget.ts";
import { timeoutFailure } from "../../../sessions/timeout-failure.ts";
import type { DuckDbDriver } from "../driver.ts";
import { statementError } from "../session/errors.ts";
import { ValueConverter } from "../values/convert-value.ts";
import { ChunkReader } from "./chunk-reader.ts";
import { Interrupter } from "./interrupter.ts";
import { countFittingRows } from "./value-lengths.ts";

/** The environment that a statement runs in. */
export interface StatementPlace {
  readonly driver: DuckDbDriver;
  /** Opens a connection in a transaction that cannot write. */
  connect(stream: DuckDbRowStream): Promise<DuckDBConnection>;
  /** @throws InvalidRequestError if the statement has effects outside the database. */
  check(connection: DuckDBConnection, sql: string): Promise<void>;
  /** Called once the connection is closed. */
  release(stream: DuckDbRowStream): void;
}

/** A running statement. */
interface BegunStatement {
  readonly interrupter: Interrupter;
  readonly result: DuckDBResult;
  readonly reader: ChunkReader;
}

export class DuckDbRowStream implements RowStream {
  readonly #sql: string;
  readonly #options: StreamOptions;
  readonly #place: StatementPlace;
  readonly #budget: RowBudget;
  #started: Promise<BegunStatement> | undefined;
  #interrupter: Interrupter | undefined;
  #connection: DuckDBConnection | undefined;
  #result: DuckDBResult | undefined;
  /** The driver's current operation for this statement. Operations must not overlap. */
  #operation: Promise<unknown> = Promise.resolve();
  #ending: Promise<void> | undefined;

  constructor(sql: string, options: StreamOptions, place: StatementPlace) {
    this.#sql = sql;
    this.#options = options;
    this.#place = place;
    this.#budget = new RowBudget(options);
  }

  get truncated(): "rows" | "bytes" | undefined {
    return this.#budget.truncated;
  }

  async columns(): Promise<readonly ResultColumn[]> {
    const { reader } = await this.#start();
    return reader.columns;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WarehouseRow[]> {
    const running = await this.#start();
    try {
      for (let chunk = await this.#fetch(running); chunk !== undefined; chunk = await this.#fetch(running)) {
        const fitting = countFittingRows(chunk, maxRowBytes({ maxBytes: this.#budget.bytesLeft }));
        const rows = this.#budget.take(running.reader.read(chunk, fitting));
        if (fitting < chunk.rowCount) this.#budget.cut();
        if (rows.length > 0) yield rows;
        if (this.#budget.truncated !== undefined) break;
      }
    } finally {
      await this.#end();
    }
  }

  /** Ends the statement, even if its rows are never read. */
  async close(): Promise<void> {
    this.#interrupter?.stop("closed");
    await this.#started?.catch(() => {});
    await this.#end();
  }

  #start(): Promise<BegunStatement> {
    this.#started ??= this.#open();
    return this.#started;
  }

  async #open(): Promise<BegunStatement> {
    if (this.#options.signal?.aborted === true) throw stopped(this.#options.signal);
    const connection = await this.#place.connect(this);
    const { timeoutMs, signal } = this.#options;
    // A consumer that only read the columns may never ask for rows.
    const interrupter = new Interrupter(connection, { timeoutMs, signal, onIdleStop: () => void this.#end() });
    this.#connection = connection;
    this.#interrupter = interrupter;
    try {
      const result = await interrupter.run(() => this.#execute(connection));
      this.#result = result;
      return {
        interrupter,
        result,
        reader: new ChunkReader(result, new ValueConverter(this.#place.driver)),
      };
    } catch (cause) {
      const error = this.#errorOf(cause);
      await this.#end();
      throw error;
    }
  }

  /** Runs the statement if it is a SELECT. DuckDB itself reports the kind of the statement after it has parsed and planned it. */
  async #execute(connection: DuckDBConnection): Promise<DuckDBResult> {
    const statements = await connection.extractStatements(this.#sql);
    if (statements.count !== 1)
      throw new InvalidRequestError(`DuckDB: the text has ${statements.count} statements, expected one.`);
    const prepared = await statements.prepare(0);
    if (prepared.statementType !== this.#place.driver.StatementType.SELECT)
      throw new InvalidRequestError("DuckDB: the statement is not a SELECT, and the connection is read-only.");
    await this.#place.check(connection, this.#sql);
    return prepared.stream();
  }

  async #fetch({ interrupter, result }: BegunStatement): Promise<DuckDBDataChunk | undefined> {
    try {
      const fetching = interrupter.run(() => result.fetchChunk());
      this.#operation = fetching.catch(() => {});
      const chunk = await fetching;
      return chunk === null || chunk.rowCount === 0 ? undefined : chunk;
    } catch (cause) {
      throw this.#errorOf(cause);
    }
  }

  #errorOf(cause: unknown): Error {
    const { signal, timeoutMs } = this.#options;
    const reason = this.#interrupter?.reason;
    if (reason === "timeout") return timeoutFailure(timeoutMs);
    if (reason === "signal" && signal !== undefined) return stopped(signal);
    if (reason === "closed") return new AbortError("The connection was closed while the statement ran.");
    return statementError(cause);
  }

  #end(): Promise<void> {
    this.#ending ??= this.#close();
    return this.#ending;
  }

  /**
   * Closes the connection. If a result is not read to its end, DuckDB keeps the database file open until the result is garbage-collected,
   * even if the connection is closed. Therefore interrupts the statement first, and reads its result to the end.
   */
  async #close(): Promise<void> {
    this.#interrupter?.finish();
    await this.#operation;
    const result = this.#result;
    if (result !== undefined) await this.#interrupter?.abandon(() => readToEnd(result));
    this.#connection?.disconnectSync();
    if (this.#connection !== undefined) this.#place.release(this);
  }
}

async function readToEnd(result: DuckDBResult): Promise<void> {
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; ) chunk = await result.fetchChunk();
}

function stopped(signal: AbortSignal): AbortError {
  return new AbortError("The statement was stopped.", { cause: signal.reason });
}
