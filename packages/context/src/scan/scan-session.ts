import { NetworkError, StoppedError } from "@bridle/protocol";
import type { RowStream, SqlDialect, TableName, Warehouse, WarehouseRow, WarehouseValue } from "@bridle/warehouse";
import { FactsError } from "../facts/facts-errors.ts";
import { findDialect } from "../facts/find-dialect.ts";
import type { ScanOptions } from "./scan-options.ts";

/** The budget is used up: what is left is not asked. */
export class ScanBudgetError extends StoppedError {}

/** Whether no other table can be read after the error. */
export function endsScan(error: unknown): boolean {
  return error instanceof StoppedError || error instanceof NetworkError || error instanceof FactsError;
}

const defaults = { statementTimeoutMs: 60_000, maxBytes: 256_000_000 };

/** The connection of a scan, with its budget. After a lost connection it connects again, once for each statement. */
export class ScanSession {
  readonly dialect: SqlDialect;
  readonly signal: AbortSignal | undefined;
  readonly now: () => number;
  readonly #options: ScanOptions;
  readonly #startedAt: number;
  #warehouse: Warehouse;
  #before: number;
  /** The statements of connections that were lost. */
  #earlier = 0;

  constructor(warehouse: Warehouse, options: ScanOptions) {
    this.#warehouse = warehouse;
    this.#before = warehouse.engine.statements;
    this.#options = options;
    this.now = options.now ?? Date.now;
    this.signal = options.signal;
    this.#startedAt = this.now();
    this.dialect = findDialect(warehouse);
  }

  get warehouse(): Warehouse {
    return this.#warehouse;
  }

  /** The statements that were sent since the start of the scan. */
  get queries(): number {
    return this.#earlier + this.#warehouse.engine.statements - this.#before;
  }

  get elapsedMs(): number {
    return this.now() - this.#startedAt;
  }

  /** Throws StoppedError if the caller stopped the scan. */
  throwIfStopped(): void {
    if (this.signal?.aborted === true) throw new StoppedError("The scan was stopped. Scan again to continue it.");
  }

  /** Throws ScanBudgetError if nothing may be asked any more, and StoppedError if the caller stopped the scan. */
  check(): void {
    this.throwIfStopped();
    const { queries, timeMs } = this.#options.budget ?? {};
    if (queries !== undefined && this.queries >= queries) {
      throw new ScanBudgetError(`The budget of ${queries} queries is used up. Scan again to continue.`);
    }
    if (timeMs !== undefined && this.elapsedMs >= timeMs) {
      throw new ScanBudgetError(`The time budget of ${timeMs} ms is used up. Scan again to continue.`);
    }
  }

  /** Lets the engine free its memory, because no statement will be sent for a while. */
  async rest(): Promise<void> {
    await this.#warehouse.engine.rest?.().catch(() => {}); // it stays as it is
  }

  /** Gives each row of a statement to `use`. If the connection is lost, `restart` is called and the statement sent again. */
  async read(
    sql: string,
    { maxRows, restart, use }: { maxRows: number; restart?: () => void; use: (row: WarehouseRow) => void },
  ): Promise<RowStream["truncated"]> {
    this.check();
    try {
      return await this.#read(sql, maxRows, use);
    } catch (error) {
      if (!(error instanceof NetworkError) || this.#options.reconnect === undefined) throw error;
      await this.#connectAgain();
      restart?.();
      this.check();
      return await this.#read(sql, maxRows, use);
    }
  }

  /** The only row of a statement. */
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

  /** The rows that the connection's filter leaves, or undefined if it leaves all. */
  filterOf(table: TableName): string | undefined {
    const relation = this.#warehouse.relationOf(table);
    return relation === this.dialect.quoteTable(table) ? undefined : relation;
  }

  async #read(sql: string, maxRows: number, use: (row: WarehouseRow) => void): Promise<RowStream["truncated"]> {
    const { statementTimeoutMs = defaults.statementTimeoutMs, budget } = this.#options;
    const left = (budget?.timeMs ?? Number.POSITIVE_INFINITY) - this.elapsedMs;
    const timeoutMs = Math.max(1, Math.min(statementTimeoutMs, left));
    const limits = { maxRows, maxBytes: defaults.maxBytes, timeoutMs };
    const stream = this.#warehouse.engine.stream(sql, { ...limits, signal: this.signal });
    for await (const batch of stream) for (const row of batch) use(row);
    return stream.truncated;
  }

  async #connectAgain(): Promise<void> {
    const queries = this.queries;
    const again = await this.#options.reconnect?.();
    if (again === undefined) return;
    this.#warehouse = again;
    this.#earlier = queries;
    this.#before = again.engine.statements;
  }
}
