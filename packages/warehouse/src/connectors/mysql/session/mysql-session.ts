import type { Connection, PrepareStatementInfo } from "mysql2";
import { maxRowBytes, type StatementLimits } from "../../../port/limits.ts";
import { RowGuard, RowTooLongError } from "../../../rows/row-guard.ts";
import type { StatementReader, StreamingSession } from "../../../sessions/session-statement.ts";
import { convertRow, resultColumn } from "../values/result-values.ts";
import { isLost, statementFailure } from "./failures.ts";
import type { MySqlControl } from "./mysql-control.ts";
import { type MySqlProduct, readProduct, sessionSettings, timeoutSetting } from "./product.ts";
import { fieldPackets, type PreparedStatement, refuseUnlessReading } from "./reading-statement.ts";
import { sendOn } from "./send-on.ts";

/** One connection to the server. Each statement runs in a read-only transaction. */
export class MySqlSession implements StreamingSession {
  readonly product: MySqlProduct;
  isBroken = false;
  readonly #connection: Connection;
  readonly #control: MySqlControl;
  readonly #guard: RowGuard;
  #interrupting: Promise<void> | undefined;
  /** Called when the connection is lost while a statement runs. The driver does not report the loss to the statement. */
  #onLost: ((error: unknown) => void) | undefined;

  private constructor(connection: Connection, product: MySqlProduct, control: MySqlControl) {
    this.#connection = connection;
    this.product = product;
    this.#control = control;
    this.#guard = new RowGuard(Reflect.get(connection, "stream"));
    connection.on("error", (error) => {
      this.isBroken = true;
      this.#onLost?.(error);
    });
  }

  /** @throws ConfigError if the server is too old. */
  static async start(connection: Connection, control: MySqlControl): Promise<MySqlSession> {
    try {
      const [[version] = []] = await sendOn(connection, "SELECT VERSION()");
      const session = new MySqlSession(connection, readProduct(String(version)), control);
      await session.send(sessionSettings(session.product));
      return session;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  /** Sends one of the connector's own statements, and returns its rows as strings. */
  send(sql: string): Promise<unknown[][]> {
    return sendOn(this.#connection, sql);
  }

  async begin(timeoutMs: number): Promise<void> {
    await this.send(timeoutSetting(this.product, timeoutMs));
    await this.send("START TRANSACTION READ ONLY");
  }

  async run(sql: string, limits: StatementLimits, reader: StatementReader): Promise<void> {
    const { timeoutMs } = limits;
    try {
      await this.begin(timeoutMs);
      const prepared = await this.#prepare(sql);
      reader.throwIfEnded();
      this.#execute(prepared, limits, reader);
    } catch (error) {
      throw error instanceof Error && "errno" in error ? statementFailure(error, timeoutMs) : error;
    }
  }

  /**
   * Prepares a statement. Refuses it if the server reports that the statement returns no rows, as statements that write, set, lock, call or
   * commit do. The server does not prepare a string with several statements.
   */
  async #prepare(sql: string): Promise<PreparedStatement> {
    const { promise, resolve, reject } = Promise.withResolvers<PrepareStatementInfo>();
    this.#connection.prepare(sql, (error, statement) => (error ? reject(error) : resolve(statement)));
    return refuseUnlessReading(await promise);
  }

  #execute(prepared: PreparedStatement, limits: StatementLimits, reader: StatementReader): void {
    const end = (error?: unknown) => {
      if (this.#onLost !== end) return; // the driver may report a loss twice
      this.#onLost = undefined;
      this.#guard.end();
      if (error !== undefined && isLost(error)) this.isBroken = true;
      if (!this.isBroken) prepared.close();
      if (error instanceof RowTooLongError) reader.onEnd(error);
      else reader.onEnd(error === undefined ? undefined : statementFailure(error, limits.timeoutMs));
    };
    this.#onLost = end;
    this.#guard.begin(maxRowBytes(limits), () => end(new RowTooLongError()));
    const command = prepared.execute([]);
    command.on("fields", (fields: unknown) => {
      const columns = fieldPackets(fields).map(resultColumn);
      reader.onColumns(columns, (row) => convertRow(row, columns));
    });
    command.on("result", (row: unknown) => {
      this.#guard.rowArrived();
      if (Array.isArray(row)) reader.onRow(row);
    });
    command.on("error", end);
    command.on("end", () => end());
  }

  pause(): void {
    this.#connection.pause();
  }

  resume(): void {
    this.#connection.resume();
  }

  async interrupt(): Promise<void> {
    this.#interrupting = this.#control.kill(this.#connection.threadId).catch(() => {
      this.isBroken = true;
      this.#connection.destroy();
      this.#onLost?.(new Error("The statement could not be ended, so its connection was closed."));
    });
    await this.#interrupting;
  }

  /** Waits until a running interruption has finished, so that it does not end the next statement. */
  async recover(): Promise<void> {
    await this.#interrupting;
    this.#interrupting = undefined;
    if (this.isBroken) return;
    try {
      await this.send("ROLLBACK");
      await this.#reset();
      await this.send(sessionSettings(this.product));
    } catch {
      this.isBroken = true;
    }
  }

  async destroy(): Promise<void> {
    this.isBroken = true;
    this.#connection.destroy();
    this.#onLost?.(new Error("The connection was closed."));
  }

  /** Releases the session's locks, temporary tables and variables. */
  #reset(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#connection.reset((error) => (error ? reject(error) : resolve()));
    return promise;
  }
}
