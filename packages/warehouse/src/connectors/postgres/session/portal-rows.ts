import { StoppedError } from "@bridle/protocol";
import type { PoolClient } from "pg";
import type { RowStream, StreamOptions } from "../../../port/connector.ts";
import { maxRowBytes } from "../../../port/limits.ts";
import type { ResultColumn, WarehouseRow } from "../../../port/values.ts";
import { StatementAllowance } from "../../../sessions/statement-allowance.ts";
import { timeoutFailure } from "../../../sessions/timeout-failure.ts";
import { isLostConnection, toStatementError } from "./failures.ts";
import { type PortalBatch, ReadOnlyPortal } from "./read-only-portal.ts";
import { maxConnections, type ServerPool, type StoppableStatement } from "./server-pool.ts";
import type { StatementSession } from "./statement-session.ts";

const firstRows = 100;
const maxBatchRows = 2_000;
/** The approximate number of bytes of values in a batch. */
const batchBytes = 1_000_000;
/** How long after the server's time limit the client ends a statement with unread rows. */
const graceMs = 2_000;

/** Identifies the sender in the server's statement log. It is appended to the statement, so that the positions in errors stay correct. */
const ownMark = "\n/* bridle */";

/** The rows of one statement, which is sent when its columns or rows are first requested. */
export class PortalRows implements RowStream {
  readonly #sql: string;
  readonly #options: StreamOptions;
  readonly #pool: ServerPool;
  readonly #session: StatementSession;
  #running: Promise<RunningPortal> | undefined;
  #truncated: "rows" | "bytes" | undefined;

  constructor(sql: string, options: StreamOptions, pool: ServerPool, session: StatementSession) {
    this.#sql = sql;
    this.#options = options;
    this.#pool = pool;
    this.#session = session;
  }

  get truncated(): "rows" | "bytes" | undefined {
    return this.#truncated;
  }

  async columns(): Promise<readonly ResultColumn[]> {
    const running = await this.#start();
    return this.#session.describeColumns(await running.portal.fields);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WarehouseRow[]> {
    const running = await this.#start();
    const budget = new RowBudget(this.#options);
    try {
      for (let rows = firstRows; ; ) {
        const batch = await running.portal.batch;
        rows = nextBatchSize(rows, batch);
        const kept = budget.take(batch);
        this.#truncated = budget.truncated ?? (batch.isCut === true ? "bytes" : undefined);
        if (!batch.isLast && this.#truncated === undefined) running.portal.fetch(Math.min(rows, budget.rowsLeft + 1));
        if (kept.length > 0) yield kept;
        if (batch.isLast || this.#truncated !== undefined) break;
      }
    } catch (error) {
      throw await running.end(error);
    } finally {
      await running.end();
    }
  }

  #start(): Promise<RunningPortal> {
    this.#running ??= this.#open();
    return this.#running;
  }

  /**
   * Sends the statement. If the connection turns out to be lost before the first answer, sends the statement again, because it only reads.
   */
  async #open(): Promise<RunningPortal> {
    if (this.#options.signal?.aborted)
      throw new StoppedError("The statement was stopped before it ran.", { by: "signal" });
    const allowance = new StatementAllowance(this.#options.maxStatements);
    allowance.take(); // for the statement itself, before anything is sent
    await this.#session.refuseUnsafeCalls(this.#sql, allowance);
    for (let tries = 0; ; tries += 1) {
      if (tries > 0) allowance.take();
      const running = await this.#send();
      try {
        await running.portal.fields;
        return running;
      } catch (error) {
        const failure = await running.end(error);
        if (tries === maxConnections || !isLostConnection(error)) throw failure;
      }
    }
  }

  async #send(): Promise<RunningPortal> {
    const { timeoutMs, maxRows, signal } = this.#options;
    const client = await this.#pool.acquire(signal);
    const guard = this.#pool.guardOf(client);
    const portal = new ReadOnlyPortal(
      {
        sql: `${this.#sql}${ownMark}`,
        timeoutMs,
        searchPath: this.#session.searchPath,
        maxBytes: this.#options.maxBytes,
        rows: Math.min(firstRows, maxRows + 1),
        typesOf: (fields) => this.#session.typesOf(fields),
      },
      () => guard.rowArrived(),
    );
    guard.begin(maxRowBytes(this.#options), () => portal.cut());
    return new RunningPortal(portal, client, this.#pool, this.#options);
  }
}

/** A statement on its connection, which it releases exactly once, however it ends. */
class RunningPortal implements StoppableStatement {
  readonly portal: ReadOnlyPortal;
  readonly #client: PoolClient;
  readonly #pool: ServerPool;
  readonly #options: StreamOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort = () => void this.stop(new StoppedError("The statement was stopped.", { by: "signal" }));
  #reason: Error | undefined;
  #ending: Promise<void> | undefined;

  constructor(portal: ReadOnlyPortal, client: PoolClient, pool: ServerPool, options: StreamOptions) {
    this.portal = portal;
    this.#client = client;
    this.#pool = pool;
    this.#options = options;
    client.query(portal);
    pool.add(this);
    this.#timer = setTimeout(() => void this.stop(timeoutFailure(options.timeoutMs)), options.timeoutMs + graceMs);
    options.signal?.addEventListener("abort", this.#onAbort);
    if (options.signal?.aborted) this.#onAbort();
  }

  /** Ends the statement on the server if it runs, and releases the connection. Resolves to the error to throw. */
  async end(cause?: unknown): Promise<unknown> {
    this.#ending ??= this.#giveBack(cause);
    await this.#ending;
    if (this.#reason !== undefined) return this.#reason;
    return toStatementError(cause, this.#pool.account.place, this.#options.timeoutMs);
  }

  async #giveBack(cause: unknown): Promise<void> {
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    const { portal } = this;
    const isRunning = portal.isRunning;
    portal.finish();
    if (isRunning) await this.#pool.cancel(this.#client, portal.ended);
    await portal.ended;
    this.#pool.remove(this);
    await this.#pool.release(this.#client, cause);
  }

  async stop(reason: Error): Promise<void> {
    this.#reason ??= reason;
    this.portal.interrupt(reason);
    await this.end(reason);
  }
}

/** Counts rows and bytes against the limits of a statement. */
class RowBudget {
  readonly #maxRows: number;
  readonly #maxBytes: number;
  #rows = 0;
  #bytes = 0;
  truncated: "rows" | "bytes" | undefined;

  constructor({ maxRows, maxBytes }: StreamOptions) {
    this.#maxRows = maxRows;
    this.#maxBytes = maxBytes;
  }

  get rowsLeft(): number {
    return this.#maxRows - this.#rows;
  }

  /** Returns the rows of a batch that are within the limits. */
  take({ rows, bytes }: PortalBatch): readonly WarehouseRow[] {
    for (let index = 0; index < rows.length; index += 1) {
      this.#bytes += bytes[index] ?? 0;
      if (this.#rows >= this.#maxRows) this.truncated = "rows";
      else if (this.#bytes > this.#maxBytes) this.truncated = "bytes";
      if (this.truncated !== undefined) return rows.slice(0, index);
      this.#rows += 1;
    }
    return rows;
  }
}

/** Returns the size of the next batch. Batches grow until they have about `batchBytes`. */
function nextBatchSize(size: number, { rows, bytes }: PortalBatch): number {
  const total = bytes.reduce((sum, count) => sum + count, 0);
  const perRow = total / Math.max(rows.length, 1);
  return Math.max(1, Math.min(size * 4, maxBatchRows, Math.floor(batchBytes / Math.max(perRow, 1))));
}
