/** Runs one statement in a read-only transaction, over the extended protocol. */
import type { Connection, FieldDef, Submittable } from "pg";
import type { WarehouseRow } from "../../../port/values.ts";
import type { KnownType } from "../values/type-catalog.ts";

export interface PortalStatement {
  readonly sql: string;
  readonly timeoutMs: number;
  readonly searchPath: string;
  /** The number of rows in the first batch. */
  readonly rows: number;
  /** The maximum number of bytes in a batch. Further rows are dropped. */
  readonly maxBytes: number;
  typesOf(fields: readonly FieldDef[]): readonly KnownType[];
}

export interface PortalBatch {
  readonly rows: readonly WarehouseRow[];
  /** The number of bytes in each row's values, as text. */
  readonly bytes: readonly number[];
  readonly isLast: boolean;
  /** Whether the next row is longer than the statement's limit. */
  readonly isCut?: boolean | undefined;
}

/**
 * The settings of the transaction. Because this SELECT takes a snapshot, PostgreSQL no longer allows the transaction to become writable.
 * ROLLBACK restores all of them.
 */
export const transactionSettings = `SELECT pg_catalog.set_config('statement_timeout', $1, true), pg_catalog.set_config('search_path', $2, true),
pg_catalog.set_config('lock_timeout', '10s', true), pg_catalog.set_config('idle_in_transaction_session_timeout', '60s', true),
pg_catalog.set_config('default_transaction_read_only', 'on', true), pg_catalog.set_config('standard_conforming_strings', 'on', true),
pg_catalog.set_config('TimeZone', 'UTC', true), pg_catalog.set_config('DateStyle', 'ISO, YMD', true),
pg_catalog.set_config('IntervalStyle', 'iso_8601', true), pg_catalog.set_config('bytea_output', 'hex', true),
pg_catalog.set_config('extra_float_digits', '3', true), pg_catalog.set_config('transform_null_equals', 'off', true)`;

/**
 * Sends BEGIN READ ONLY, the settings, and the statement twice: first as `DECLARE CURSOR FOR …`, which is parsed but never run, then
 * unchanged. The grammar of DECLARE allows only one SELECT or VALUES, and no WITH that changes rows, so the server itself refuses
 * everything else before it runs anything. After the end, the caller must send ROLLBACK.
 */
export class ReadOnlyPortal implements Submittable {
  readonly #statement: PortalStatement;
  readonly #onRow: () => void;
  #connection: Connection | undefined;
  #types: readonly KnownType[] | undefined;
  #completed = 0;
  #rows: WarehouseRow[] = [];
  #bytes: number[] = [];
  #batchBytes = 0;
  readonly #described = Promise.withResolvers<readonly FieldDef[]>();
  #batch = Promise.withResolvers<PortalBatch>();
  /** Settles when the server is ready for another statement, or the connection is lost. */
  readonly #ended = Promise.withResolvers<void>();
  #isSuspended = false;
  #isDone = false;
  #isComplete = false;
  #isFinishing = false;
  #interruption: Error | undefined;

  /** Creates a portal. `onRow` is called for each row that arrives. */
  constructor(statement: PortalStatement, onRow: () => void) {
    this.#statement = statement;
    this.#onRow = onRow;
    this.#described.promise.catch(() => {});
    this.#batch.promise.catch(() => {});
  }

  /** The result's columns. They are known before the first rows. */
  get fields(): Promise<readonly FieldDef[]> {
    return this.#described.promise;
  }

  get batch(): Promise<PortalBatch> {
    return this.#batch.promise;
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Whether the server is working on the statement. */
  get isRunning(): boolean {
    return !this.#isSuspended && !this.#isComplete && !this.#isDone;
  }

  submit(connection: Connection): void {
    const { sql, timeoutMs, searchPath, rows } = this.#statement;
    this.#connection = connection;
    connection.stream.cork();
    this.#run(connection, "BEGIN READ ONLY", []);
    this.#run(connection, transactionSettings, [String(timeoutMs), searchPath]);
    connection.parse({ name: "", text: `DECLARE bridle NO SCROLL CURSOR FOR ${sql}`, types: [] }, true);
    connection.parse({ name: "", text: sql, types: [] }, true);
    connection.bind({ portal: "", statement: "", values: [] }, true);
    connection.describe({ type: "P", name: "" }, true);
    execute(connection, rows);
    connection.flush();
    connection.stream.uncork();
  }

  #run(connection: Connection, text: string, values: string[]): void {
    connection.parse({ name: "", text, types: [] }, true);
    connection.bind({ portal: "", statement: "", values }, true);
    execute(connection, 0);
  }

  /** Requests more rows, after a batch that is not the last. */
  fetch(rows: number): void {
    this.#batch = Promise.withResolvers<PortalBatch>();
    this.#batch.promise.catch(() => {});
    if (this.#interruption !== undefined) {
      this.#batch.reject(this.#interruption);
      return;
    }
    this.#isSuspended = false;
    if (this.#connection !== undefined) execute(this.#connection, rows);
    this.#connection?.flush();
  }

  /** Stops waiting for rows and columns. */
  interrupt(reason: Error): void {
    this.#interruption ??= reason;
    this.#described.reject(reason);
    this.#batch.reject(reason);
  }

  /** Ends the statement without reading its remaining rows, as soon as the server waits for a message. */
  finish(): void {
    this.#isFinishing = true;
    if (!this.#isSuspended) return;
    this.#isSuspended = false;
    this.#connection?.close({ type: "P", name: "" }, true);
    this.#connection?.sync();
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#types = this.#statement.typesOf(fields);
    this.#described.resolve(fields);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const types = this.#types;
    if (types === undefined) return; // the rows of the settings
    this.#onRow();
    if (this.#batchBytes > this.#statement.maxBytes) return;
    const row: WarehouseRow[number][] = new Array(fields.length);
    let bytes = 2;
    for (let index = 0; index < fields.length; index += 1) {
      const text = fields[index] ?? null;
      row[index] = text === null ? null : (types[index]?.parse(text) ?? text);
      bytes += text === null ? 5 : text.length + 3;
    }
    this.#rows.push(row);
    this.#bytes.push(bytes);
    this.#batchBytes += bytes;
  }

  /** Ends the rows before a row that is too long. The connection is cut. */
  cut(): void {
    this.#deliver(false, true);
    this.#isDone = true;
  }

  handlePortalSuspended(): void {
    this.#isSuspended = true;
    this.#deliver(false);
    if (this.#isFinishing) this.finish();
  }

  /** Called when a command has completed, including BEGIN and the settings. */
  handleCommandComplete(_message: unknown, connection: Connection): void {
    this.#completed += 1;
    if (this.#completed < 3) return;
    this.#isComplete = true;
    this.#deliver(true);
    connection.sync();
  }

  handleEmptyQuery(connection: Connection): void {
    this.#described.resolve([]);
    this.#deliver(true);
    connection.sync();
  }

  #deliver(isLast: boolean, isCut = false): void {
    this.#described.resolve([]);
    this.#batch.resolve({ rows: this.#rows, bytes: this.#bytes, isLast, isCut });
    this.#rows = [];
    this.#bytes = [];
    this.#batchBytes = 0;
  }

  /**
   * Ends the statement with an error. After an error, the driver does not report that the connection is ready, so the next statement waits
   * for that.
   */
  handleError(error: Error, connection: Connection): void {
    this.interrupt(error);
    this.#end();
    if (this.#connection !== undefined) connection.sync();
  }

  handleReadyForQuery(): void {
    this.#end();
  }

  #end(): void {
    this.#isDone = true;
    this.#isSuspended = false;
    this.#ended.resolve();
  }

  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}

/** Runs the portal for this many rows, or for all rows if 0. The driver sends a number although its typings declare a string. */
function execute(connection: Connection, rows: number): void {
  Reflect.apply(connection.execute, connection, [{ portal: "", rows }, true]);
}
