import { InvalidRequestError } from "@bridle/protocol";
import type { Connection, PrepareStatementInfo } from "mysql2";
import { statementFailure } from "./failures.ts";
import { type MySqlProduct, sessionSettings, timeoutSetting } from "./product.ts";

/** One connection to the server, on which each statement runs in a transaction that only reads. */
export class MySqlSession {
  readonly connection: Connection;
  readonly #product: MySqlProduct;
  /** Set when its state is unknown, so that it is not used again. */
  isBroken = false;

  private constructor(connection: Connection, product: MySqlProduct) {
    this.connection = connection;
    this.#product = product;
    connection.on("error", () => {
      this.isBroken = true;
    });
  }

  static async start(connection: Connection, product: MySqlProduct): Promise<MySqlSession> {
    const session = new MySqlSession(connection, product);
    await session.send(sessionSettings(product));
    return session;
  }

  get id(): number {
    return this.connection.threadId;
  }

  /** Sends one of the connector's own statements, whose rows are texts. */
  send(sql: string): Promise<unknown[][]> {
    return sendOn(this.connection, sql);
  }

  async begin(timeoutMs: number): Promise<void> {
    await this.send(timeoutSetting(this.#product, timeoutMs));
    await this.send("START TRANSACTION READ ONLY");
  }

  /**
   * Prepares a statement, and refuses it if it returns no rows according to the server: all that writes, sets, locks, calls or
   * commits returns none. Several statements cannot be prepared.
   */
  async prepare(sql: string): Promise<PrepareStatementInfo & { readonly columns: readonly unknown[] }> {
    const { promise, resolve, reject } = Promise.withResolvers<PrepareStatementInfo>();
    this.connection.prepare(sql, (error, statement) => (error ? reject(error) : resolve(statement)));
    const statement = await promise;
    const problem = problemOf(statement);
    if (problem === undefined && hasColumns(statement)) return statement;
    statement.close();
    throw new InvalidRequestError(problem ?? "The driver does not say what the statement returns.");
  }

  /** Ends the transaction, and brings the session back to its settings. It is broken if that fails. */
  async recover(): Promise<void> {
    if (this.isBroken) return;
    try {
      await this.send("ROLLBACK");
      await this.#reset();
      await this.send(sessionSettings(this.#product));
    } catch {
      this.isBroken = true;
    }
  }

  /** Releases locks, temporary tables and variables of the session. */
  #reset(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.connection.reset((error) => (error ? reject(error) : resolve()));
    return promise;
  }
}

function hasColumns(
  statement: PrepareStatementInfo,
): statement is PrepareStatementInfo & { readonly columns: readonly unknown[] } {
  return "columns" in statement && Array.isArray(statement.columns);
}

function problemOf(statement: PrepareStatementInfo): string | undefined {
  if ("parameters" in statement && Array.isArray(statement.parameters) && statement.parameters.length > 0)
    return "The statement contains a placeholder (?). Write the value itself.";
  if (hasColumns(statement) && statement.columns.length === 0)
    return "The statement returns no rows, so it was not executed. Only statements that read can be sent.";
  if (hasColumns(statement) && statement.columns.map(nameOf).join(" ") === maintenanceColumns)
    return "The statement maintains tables, so it was not executed. Only statements that read can be sent.";
  return undefined;
}

/** What ANALYZE TABLE and its like return. They are the statements with rows that a read-only transaction does not stop. */
const maintenanceColumns = "Table Op Msg_type Msg_text";

function nameOf(column: unknown): string {
  return typeof column === "object" && column !== null && "name" in column ? String(column.name) : "";
}

/** Sends one statement on a connection, and returns its rows. */
export function sendOn(connection: Connection, sql: string): Promise<unknown[][]> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown[][]>();
  connection.query({ sql, rowsAsArray: true }, (error, rows) => {
    if (error) reject(statementFailure(error, undefined));
    else resolve(Array.isArray(rows) ? rows.filter((row) => Array.isArray(row)) : []);
  });
  return promise;
}
