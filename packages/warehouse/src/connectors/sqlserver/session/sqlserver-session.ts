import type { Connection, Request } from "tedious";
import { maxRowBytes, type StatementLimits } from "../../../port/limits.ts";
import { RowGuard, RowTooLongError } from "../../../rows/row-guard.ts";
import type { StatementReader, StreamingSession } from "../../../sessions/session-statement.ts";
import { convertSqlServerRow, type DriverColumn, sqlserverColumn } from "../values/result-values.ts";
import type { SqlServerDriver } from "./driver.ts";
import { isLostSqlServer, sqlserverFailure } from "./failures.ts";
import { readServerFacts, type ServerFacts, serverQuery } from "./server-facts.ts";

/** How many milliseconds a statement waits for other sessions' locks. */
const lockTimeoutMs = 5_000;
/** The time limit for one of the connector's own statements, in milliseconds. */
const ownTimeoutMs = 120_000;

/** One connection. Each statement runs in a transaction that is rolled back. */
export class SqlServerSession implements StreamingSession {
  isBroken = false;
  readonly #connection: Connection;
  readonly #driver: SqlServerDriver;
  readonly #guard: RowGuard;
  #facts: ServerFacts | undefined;
  #request: Request | undefined;

  private constructor(driver: SqlServerDriver, connection: Connection) {
    this.#driver = driver;
    this.#connection = connection;
    this.#guard = new RowGuard(Reflect.get(connection, "socket"));
    connection.on("error", this.#markBroken);
    connection.on("end", this.#markBroken);
  }

  /** @throws ConfigError if the server is too old. */
  static async open(driver: SqlServerDriver): Promise<SqlServerSession> {
    const session = new SqlServerSession(driver, await driver.open());
    try {
      session.#facts = readServerFacts(await session.send(serverQuery));
      return session;
    } catch (error) {
      await session.destroy();
      throw error;
    }
  }

  /** The facts that the server reports about itself. */
  get facts(): ServerFacts {
    if (this.#facts === undefined) throw new Error("The session of SQL Server is not open.");
    return this.#facts;
  }

  readonly #markBroken = (): void => {
    this.isBroken = true;
  };

  /** Runs the statement with sp_executesql, so that the statement runs in a separate scope. */
  async run(sql: string, limits: StatementLimits, reader: StatementReader): Promise<void> {
    await this.send(
      `SET LOCK_TIMEOUT ${lockTimeoutMs}; SET XACT_ABORT ON; SET TRANSACTION ISOLATION LEVEL ${this.facts.isolation}; BEGIN TRANSACTION`,
    );
    reader.throwIfEnded();
    let results = 0;
    let tooLong: RowTooLongError | undefined;
    const request = this.#createRequest(sql, limits.timeoutMs, (failure, isLost) => {
      if (isLost) this.isBroken = true;
      this.#guard.end();
      this.#request = undefined;
      reader.onEnd(tooLong ?? failure);
    });
    request.on("columnMetadata", (found: unknown) => {
      results += 1;
      const columns = driverColumns(found);
      const shown = columns.map(sqlserverColumn);
      reader.onColumns(shown, (row) => convertSqlServerRow(row, shown, columns));
    });
    // Only the first result is read, because the parser refuses statements with two results.
    request.on("row", (row: unknown) => {
      this.#guard.rowArrived();
      if (results === 1) reader.onRow(valuesOf(row));
    });
    this.#request = request;
    this.#guard.begin(maxRowBytes(limits), () => {
      tooLong = new RowTooLongError();
      this.isBroken = true;
    });
    this.#connection.execSql(request);
  }

  pause(): void {
    this.#request?.pause();
  }

  resume(): void {
    this.#request?.resume();
  }

  /**
   * Ends the running statement. The driver sends a request on the same connection, and cuts the connection if the server does not react.
   */
  async interrupt(): Promise<void> {
    this.#connection.cancel();
  }

  async recover(): Promise<void> {
    if (this.isBroken) return;
    try {
      await this.send("IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION");
      await this.#reset();
    } catch {
      this.isBroken = true;
    }
  }

  async destroy(): Promise<void> {
    this.isBroken = true;
    this.#connection.close();
  }

  #reset(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#connection.reset((error) => (error ? reject(error) : resolve()));
    return promise;
  }

  /** Sends the connector's own statements, and returns their rows. */
  async send(sql: string): Promise<unknown[][]> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const rows: unknown[][] = [];
    const request = this.#createRequest(sql, ownTimeoutMs, (failure) => (failure ? reject(failure) : resolve()));
    request.on("row", (row: unknown) => rows.push(valuesOf(row)));
    this.#connection.execSqlBatch(request);
    await promise;
    return rows;
  }

  #createRequest(sql: string, timeoutMs: number, done: (failure: Error | undefined, isLost: boolean) => void): Request {
    const request = new this.#driver.tedious.Request(sql, (error) =>
      done(error ? sqlserverFailure(error, timeoutMs) : undefined, isLostSqlServer(error)),
    );
    request.setTimeout(timeoutMs);
    return request;
  }
}

/** Returns the values of a row that the driver passes on. */
function valuesOf(row: unknown): unknown[] {
  return Array.isArray(row) ? row.map((cell: { value: unknown }) => cell.value) : [];
}

/** Returns the driver's descriptions of a result's columns. */
function driverColumns(columns: unknown): readonly DriverColumn[] {
  return Array.isArray(columns) ? columns : [];
}
