import type { DatabaseSync } from "node:sqlite";
import { BudgetExceededError } from "@bridle/protocol";
import type { WarehouseStructure } from "../../../port/structure.ts";
import { StatementAllowance } from "../../../sessions/statement-allowance.ts";
import { readMarks } from "../change-marks.ts";
import { readSqliteStructure } from "../read-structure.ts";
import { Authorizer } from "./authorizer.ts";
import type { SqliteFailure, SqliteReply, SqliteRequest } from "./messages.ts";
import { openGuardedDatabase, openVirtualTables } from "./open-database.ts";
import { type RowLimits, readBatches } from "./read-batches.ts";
import { resultColumnsOf } from "./result-columns.ts";

type Send = (reply: SqliteReply) => Promise<void>;

/** Answers requests one after the other. A statement waits after each batch until the connection requests more. */
export class SqliteReader {
  readonly #send: Send;
  readonly #authorizer = new Authorizer();
  #file = "";
  #database: DatabaseSync | undefined;
  #statements = 0;
  #schema = "";
  #answer: ((goesOn: boolean) => void) | undefined;

  constructor(send: Send) {
    this.#send = send;
  }

  receive(request: SqliteRequest): void {
    if (request.do === "continue" || request.do === "stop") this.#answer?.(request.do === "continue");
    else void this.#perform(request).catch((error) => this.#send({ is: "failed", failure: this.#failureOf(error) }));
  }

  async #perform(request: Exclude<SqliteRequest, { do: "continue" | "stop" }>): Promise<void> {
    this.#authorizer.denied = undefined;
    this.#statements = 0;
    switch (request.do) {
      case "open":
        return this.#open(request.file);
      case "run":
        return this.#run(request.sql, request);
      case "structure": {
        const structure = this.#readStructure(request.max ?? Number.POSITIVE_INFINITY);
        return this.#send({ is: "structure", structure, statements: this.#statements });
      }
      case "marks": {
        const marks = this.#unguarded((database) => readMarks(database, this.#file, request.tables));
        return this.#send({ is: "marks", marks: [...marks], statements: 1 });
      }
    }
  }

  async #open(file: string): Promise<void> {
    this.#file = file;
    this.#database = openGuardedDatabase(file, this.#authorizer);
    const [row] = this.#unguarded((database) => database.prepare("SELECT sqlite_version()").all());
    await this.#send({ is: "opened", version: String(Object.values(row ?? {})[0]) });
  }

  /** Reads without the authorizer, because the connector's own catalog statements use pragmas. The file remains open for reading only. */
  #unguarded<Result>(read: (database: DatabaseSync) => Result): Result {
    const database = this.#opened();
    database.setAuthorizer(null);
    try {
      return read(database);
    } finally {
      database.setAuthorizer(this.#authorizer.authorize);
    }
  }

  /** Reads the structure. Undefined if this needs more than `max` statements. */
  #readStructure(max: number): WarehouseStructure | undefined {
    const allowance = new StatementAllowance(max);
    const onStatement = () => {
      allowance.take();
      this.#statements++;
    };
    try {
      return this.#unguarded((database) => readSqliteStructure(database, onStatement));
    } catch (error) {
      if (error instanceof BudgetExceededError) return undefined;
      throw error;
    }
  }

  #followSchema(database: DatabaseSync): void {
    const version = JSON.stringify(database.prepare("PRAGMA schema_version").get(), (_, value) => String(value));
    if (version !== this.#schema) openVirtualTables(database);
    this.#schema = version;
  }

  async #run(sql: string, limits: RowLimits): Promise<void> {
    this.#unguarded((database) => this.#followSchema(database));
    const statement = this.#opened().prepare(sql);
    await this.#send({ is: "columns", columns: resultColumnsOf(statement) });
    const batches = readBatches(statement, limits);
    for (;;) {
      const { done, value } = batches.next();
      if (done) return this.#send({ is: "end", ...(value === undefined ? {} : { truncated: value }) });
      const { promise, resolve } = Promise.withResolvers<boolean>();
      this.#answer = resolve;
      await this.#send({ is: "rows", rows: value });
      if (!(await promise)) {
        batches.return(undefined);
        return this.#send({ is: "end" });
      }
    }
  }

  #opened(): DatabaseSync {
    if (this.#database === undefined) throw new Error("The database is not open.");
    return this.#database;
  }

  #failureOf(error: unknown): SqliteFailure {
    const message = error instanceof Error ? error.message : String(error);
    const errcode = error instanceof Error && "errcode" in error ? Number(error.errcode) : undefined;
    const { denied } = this.#authorizer;
    return { message, ...(errcode === undefined ? {} : { errcode }), ...(denied === undefined ? {} : { denied }) };
  }
}
