import { BudgetExceededError, counted, NetworkError, StoppedError } from "@bridle/protocol";
import {
  type CatalogOptions,
  type RowStream,
  type SqlDialect,
  StatementTimeoutError,
  type TableName,
  type Warehouse,
  type WarehouseRow,
  type WarehouseStructure,
  type WarehouseValue,
} from "@bridle/warehouse";
import { FactsError } from "../facts/facts-errors.ts";
import { findDialect } from "../facts/find-dialect.ts";
import type { ScanOptions } from "./scan-options.ts";

/** Thrown if the budget is used up. The rest of the scan is skipped. */
export class ScanBudgetError extends StoppedError {}

/** Whether no other table can be read after the error. */
export function endsScan(error: unknown): boolean {
  return error instanceof StoppedError || error instanceof NetworkError || error instanceof FactsError;
}

const defaults = { statementTimeoutMs: 60_000, maxBytes: 256_000_000 };

/** The maximum number of statements that a new connection sends before it can be used. */
const maxToConnect = 25;

type OnProgress = CatalogOptions["onProgress"];

/** The connection of a scan, with the scan's budget. Reconnects after the connection was lost, once for each statement. */
export class ScanSession {
  readonly dialect: SqlDialect;
  readonly signal: AbortSignal | undefined;
  readonly now: () => number;
  readonly #options: ScanOptions;
  readonly #startedAt: number;
  #warehouse: Warehouse;
  #before: number;
  /** The number of statements reserved for reopening the connection: as many as the first time, as far as that is known. */
  readonly #toConnect: number;
  /** The number of statements that lost connections sent. */
  #earlier = 0;

  constructor(warehouse: Warehouse, options: ScanOptions) {
    this.#warehouse = warehouse;
    this.#before = warehouse.engine.statements;
    this.#toConnect = Math.min(maxToConnect, warehouse.engine.statements);
    this.#options = options;
    this.now = options.now ?? Date.now;
    this.signal = options.signal;
    this.#startedAt = this.now();
    this.dialect = findDialect(warehouse);
  }

  get warehouse(): Warehouse {
    return this.#warehouse;
  }

  /** The number of statements sent since the start of the scan. */
  get queries(): number {
    return this.#earlier + this.#warehouse.engine.statements - this.#before;
  }

  /** The time limit of one statement in milliseconds: the scan's limit, or the connection's. */
  get statementTimeoutMs(): number {
    const { statementTimeoutMs = this.#warehouse.timeLimitMs ?? defaults.statementTimeoutMs } = this.#options;
    return statementTimeoutMs;
  }

  /** Whether the scan tries work again that an earlier scan did not finish in time. */
  get isRefresh(): boolean {
    return this.#options.refresh === true;
  }

  get elapsedMs(): number {
    return this.now() - this.#startedAt;
  }

  /** Throws StoppedError if the caller stopped the scan. */
  throwIfStopped(): void {
    if (this.signal?.aborted === true) throw new StoppedError("The scan was stopped. Scan again to continue it.");
  }

  /** Throws ScanBudgetError if the budget is used up, and StoppedError if the caller stopped the scan. */
  check(): void {
    this.throwIfStopped();
    if (this.#queriesLeft <= 0) throw this.#outOfQueries();
    if (this.#timeLeft <= 0) throw this.#outOfTime();
  }

  get #queriesLeft(): number {
    return (this.#options.budget?.queries ?? Number.POSITIVE_INFINITY) - this.queries;
  }

  get #timeLeft(): number {
    return (this.#options.budget?.timeMs ?? Number.POSITIVE_INFINITY) - this.elapsedMs;
  }

  #outOfQueries(): ScanBudgetError {
    const { queries = 0 } = this.#options.budget ?? {};
    return new ScanBudgetError(`The budget of ${counted(queries, "query", "queries")} is used up.`);
  }

  #outOfTime(): ScanBudgetError {
    return new ScanBudgetError(`The time budget of ${this.#options.budget?.timeMs} ms is used up.`);
  }

  /** Reads the structure within the scope. Throws ScanBudgetError if the budget is too small to read it. */
  readStructure(onProgress: OnProgress): Promise<WarehouseStructure> {
    return this.#readCatalog((options) => this.#warehouse.readStructure(options), onProgress);
  }

  /** Reads the engine's change markers. Throws ScanBudgetError if the budget is too small for that. */
  readChangeMarks(tables: readonly TableName[], onProgress: OnProgress): Promise<readonly (string | undefined)[]> {
    return this.#readCatalog((options) => this.#warehouse.engine.readChangeMarks(tables, options), onProgress);
  }

  async #readCatalog<T>(read: (options: CatalogOptions) => Promise<T>, onProgress: OnProgress): Promise<T> {
    this.check();
    const ends = [
      ...(this.signal ? [this.signal] : []),
      ...(Number.isFinite(this.#timeLeft) ? [timer(this.#timeLeft)] : []),
    ];
    try {
      return await read({ signal: AbortSignal.any(ends), maxStatements: this.#queriesLeft, onProgress });
    } catch (error) {
      if (error instanceof BudgetExceededError) throw this.#outOfQueries();
      this.throwIfStopped();
      throw error instanceof StoppedError && this.#timeLeft <= 0 ? this.#outOfTime() : error;
    }
  }

  /** Lets the engine free its memory, because no statement will be sent for a while. */
  async rest(): Promise<void> {
    await this.#warehouse.engine.rest?.().catch(() => {}); // the memory is not freed
  }

  /** Passes each row of a statement to `use`. If the connection is lost, calls `restart` and sends the statement again. */
  async read(
    sql: string,
    { maxRows, restart, use }: { maxRows: number; restart?: () => void; use: (row: WarehouseRow) => void },
  ): Promise<RowStream["truncated"]> {
    this.check();
    try {
      return await this.#read(sql, maxRows, use);
    } catch (error) {
      if (!(error instanceof NetworkError) || this.#options.reconnect === undefined) throw error;
      if (this.#queriesLeft <= this.#toConnect) throw this.#outOfQueries();
      await this.#connectAgain();
      restart?.();
      this.check();
      return await this.#read(sql, maxRows, use);
    }
  }

  /** Runs a statement and returns its only row. */
  async readRow(sql: string): Promise<readonly WarehouseValue[]> {
    let found: WarehouseRow = [];
    await this.read(sql, {
      maxRows: 1,
      use: (row) => {
        found = row;
      },
    });
    return found;
  }

  /** Returns the condition for the rows that the connection's filter keeps; undefined if it keeps all. */
  filterOf(table: TableName): string | undefined {
    const relation = this.#warehouse.relationOf(table);
    return relation === this.dialect.quoteTable(table) ? undefined : relation;
  }

  async #read(sql: string, maxRows: number, use: (row: WarehouseRow) => void): Promise<RowStream["truncated"]> {
    const timeoutMs = Math.max(1, Math.min(this.statementTimeoutMs, this.#timeLeft));
    const limits = { maxRows, maxBytes: defaults.maxBytes, timeoutMs, maxStatements: this.#queriesLeft };
    const stream = this.#warehouse.engine.stream(sql, { ...limits, signal: this.signal });
    try {
      for await (const batch of stream) for (const row of batch) use(row);
    } catch (error) {
      if (error instanceof BudgetExceededError) throw this.#outOfQueries();
      if (error instanceof StatementTimeoutError && this.#timeLeft <= 0) throw this.#outOfTime();
      throw error;
    }
    return stream.truncated;
  }

  async #connectAgain(): Promise<void> {
    const queries = this.queries;
    const again = await this.#options.reconnect?.();
    if (again === undefined) return;
    this.#warehouse = again;
    this.#earlier = queries;
    this.#before = 0; // reopening the connection sent some statements
  }
}

function timer(milliseconds: number): AbortSignal {
  return AbortSignal.timeout(Math.max(0, Math.min(milliseconds, 2 ** 31 - 1)));
}
