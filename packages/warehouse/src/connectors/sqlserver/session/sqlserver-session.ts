import type { Connection, Request } from "tedious";
import type { DriverColumn } from "../values/result-values.ts";
import type { SqlServerDriver } from "./driver.ts";
import { sqlserverFailure } from "./failures.ts";

/** Time that a statement waits for the locks of others. */
const lockTimeoutMs = 5_000;
/** Time for one statement of the connector itself. */
const ownTimeoutMs = 120_000;

/** One connection, on which each statement runs in a transaction that is rolled back. */
export class SqlServerSession {
  readonly connection: Connection;
  readonly #driver: SqlServerDriver;
  isBroken = false;

  private constructor(driver: SqlServerDriver, connection: Connection) {
    this.#driver = driver;
    this.connection = connection;
    connection.on("error", this.#markBroken);
    connection.on("end", this.#markBroken);
  }

  static async open(driver: SqlServerDriver): Promise<SqlServerSession> {
    return new SqlServerSession(driver, await driver.open());
  }

  readonly #markBroken = (): void => {
    this.isBroken = true;
  };

  /** With SNAPSHOT, a statement reads one state of the database and waits for nobody. Not every database allows it. */
  async begin(isolation: "SNAPSHOT" | "READ COMMITTED"): Promise<void> {
    await this.send(
      `SET LOCK_TIMEOUT ${lockTimeoutMs}; SET XACT_ABORT ON; SET TRANSACTION ISOLATION LEVEL ${isolation}; BEGIN TRANSACTION`,
    );
  }

  /** Rolls back, and brings the session back to its settings. It is broken if that fails. */
  async recover(): Promise<void> {
    if (this.isBroken) return;
    try {
      await this.send("IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION");
      await this.#reset();
    } catch {
      this.isBroken = true;
    }
  }

  #reset(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.connection.reset((error) => (error ? reject(error) : resolve()));
    return promise;
  }

  /** Sends statements of the connector itself, and returns their rows. */
  async send(sql: string): Promise<unknown[][]> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const rows: unknown[][] = [];
    const request = this.createRequest(sql, (error) => (error ? reject(error) : resolve()));
    request.setTimeout(ownTimeoutMs);
    request.on("row", (row: unknown) => rows.push(valuesOf(row)));
    this.connection.execSqlBatch(request);
    await promise.catch((error: unknown) => {
      throw sqlserverFailure(error, ownTimeoutMs);
    });
    return rows;
  }

  createRequest(sql: string, done: (error: Error | null | undefined) => void): Request {
    return new this.#driver.tedious.Request(sql, done);
  }
}

/** The values of a row of the driver. */
export function valuesOf(row: unknown): unknown[] {
  return Array.isArray(row) ? row.map((cell: { value: unknown }) => cell.value) : [];
}

/** The columns of a result of the driver. */
export function driverColumns(columns: unknown): readonly DriverColumn[] {
  return Array.isArray(columns) ? columns : [];
}
