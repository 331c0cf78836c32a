/**
 * Tests a table of statements on a database, with each layer of protection alone and with both.
 *
 * A statement of the table is `{ sql, expect, why }`, where `expect` is
 * - `rows`: it only reads. It must return at least one row in every run.
 * - `refused`: it has an effect, or reads outside the database. The parser must refuse it. Without the parser, the session must refuse it,
 *   or it must have no effect.
 * - `fails`: it only reads, and the engine ends it: because of a limit of time or memory, or because a name is unknown.
 *
 * The runs are
 * 1. both layers: `dialect.check`, then the read-only connection;
 * 2. the session alone: the original statement on the read-only connection;
 * 3. the parser alone: `dialect.check`, then the returned statement on a connection that may write;
 * 4. both layers, with every table replaced by `(SELECT * FROM table)`: a statement that reads returns the same rows.
 *
 * After each statement that is refused or fails, `fingerprint` must return the same text as before. It covers everything that such a
 * statement could change: the rows of all tables, the catalog, settings, roles, other sessions, files. The database must contain everything
 * that the statements need, so that each of them would have its effect if it ran.
 *
 * Use it in one test file for a dialect:
 *
 *     testStatements({ dialect: sqliteDialect, open: openStatementDatabase, statements, fingerprint: (database) => … });
 */
import { inspect } from "node:util";
import { StatementRefusedError } from "@bridle/sql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type {
  EngineConnection,
  ResolvedTable,
  SqlDialect,
  StatementContext,
  StatementLimits,
  TableName,
  WarehouseRow,
} from "../src/index.ts";

export interface Statement {
  readonly sql: string;
  readonly expect: "rows" | "refused" | "fails";
  /** What the statement would do, or what it reads. */
  readonly why: string;
  /** Whether the rows differ from run to run, such as those of `random()`. If so, only their number is compared. */
  readonly isUnstable?: boolean | undefined;
  /** Why the statement cannot run with replaced tables, for example because it names an index. */
  readonly onlyPlainTables?: string | undefined;
}

/** A database that the harness can access with and without protection. */
export interface StatementDatabase {
  /** The read-only connection that the connector's `connect` returns. */
  readonly guarded: EngineConnection;
  /** Runs a statement on a plain driver connection that may write, and returns its number of rows. */
  runUnguarded(sql: string): Promise<number>;
  /** Closes both connections, and removes the database. */
  close(): Promise<void>;
}

export interface StatementTable<Database extends StatementDatabase> {
  readonly dialect: SqlDialect;
  open(): Promise<Database>;
  readonly statements: readonly Statement[];
  /** Returns a string that differs if anything changed. Must not use the connection `guarded`. */
  fingerprint(database: Database): Promise<string>;
}

/** Limits that are high enough for statements that read, even on a busy machine. */
const wide: StatementLimits = { maxRows: 100, maxBytes: 1_000_000, timeoutMs: 60_000 };

/** Limits that end statements that do not end by themselves. A statement that takes longer counts as having no effect. */
const narrow: StatementLimits = { ...wide, timeoutMs: 1_000 };

export function testStatements<Database extends StatementDatabase>(table: StatementTable<Database>): void {
  const runs = new StatementRuns(table);
  describe(`statements of ${table.dialect.id}`, () => {
    beforeAll(() => runs.open());
    afterAll(() => runs.close());
    test("the table has at least 150 different statements", () => {
      expect(new Set(table.statements.map(({ sql }) => sql)).size).toBeGreaterThanOrEqual(150);
      expect(new Set(table.statements.map(({ sql }) => sql)).size).toBe(table.statements.length);
    });
    const { statements } = table;
    const reads = statements.filter((statement) => statement.expect === "rows");
    const refused = statements.filter((statement) => statement.expect === "refused");
    const failing = statements.filter((statement) => statement.expect === "fails");
    const replaceable = reads.filter(({ onlyPlainTables }) => onlyPlainTables === undefined);
    testEach(reads, "both layers let pass", ({ sql }) => runs.readChecked(sql));
    testEach(reads, "the session alone lets pass", ({ sql }) => runs.readGuarded(sql));
    testEach(reads, "the parser alone lets pass", ({ sql }) => runs.readUnguarded(sql));
    testEach(replaceable, "a SELECT instead of each table changes nothing in", (statement) =>
      runs.compareReplaced(statement),
    );
    testEach(refused, "the parser refuses", ({ sql }) => runs.refuse(sql));
    testEach(refused, "the session alone keeps harmless", ({ sql }) => runs.keepHarmless(sql));
    testEach(failing, "both layers end", ({ sql }) => runs.failChecked(sql));
    testEach(failing, "the session alone ends", ({ sql }) => runs.failGuarded(sql));
  });
}

/** Whether a statement has an order. Without one, an engine may return the same rows in a different order each time. */
function hasOrder(sql: string): boolean {
  return /\border\s+by\b/i.test(sql);
}

class StatementRuns<Database extends StatementDatabase> {
  readonly #table: StatementTable<Database>;
  #database: Database | undefined;
  #names: readonly TableName[] = [];
  #fingerprint = "";

  constructor(table: StatementTable<Database>) {
    this.#table = table;
  }

  async open(): Promise<void> {
    this.#database = await this.#table.open();
    this.#names = (await this.#database.guarded.readStructure(undefined)).tables;
    this.#fingerprint = await this.#table.fingerprint(this.#database);
  }

  async close(): Promise<void> {
    await this.#database?.close();
  }

  async readChecked(sql: string): Promise<void> {
    expect((await this.#stream(await this.#check(sql))).length).toBeGreaterThan(0);
  }

  async readGuarded(sql: string): Promise<void> {
    expect((await this.#stream(sql)).length).toBeGreaterThan(0);
  }

  async readUnguarded(sql: string): Promise<void> {
    expect(await this.#opened().runUnguarded(await this.#check(sql))).toBeGreaterThan(0);
  }

  async compareReplaced({ sql, isUnstable = false }: Statement): Promise<void> {
    const { dialect } = this.#table;
    const replaced = await this.#check(sql, (name) => `(SELECT * FROM ${dialect.quoteTable(name)})`);
    const [rows, expected] = [await this.#stream(replaced), await this.#stream(sql)];
    const comparable = (given: typeof rows) =>
      hasOrder(sql) ? given : given.map((row) => inspect(row, { depth: null })).sort();
    if (isUnstable) expect(rows.length).toBe(expected.length);
    else expect(comparable(rows)).toEqual(comparable(expected));
  }

  async refuse(sql: string): Promise<void> {
    await expect(this.#check(sql)).rejects.toBeInstanceOf(StatementRefusedError);
    await this.#expectUnchanged();
  }

  /** Runs a statement that must have no effect. The session may return rows, such as those of the first of two statements. */
  async keepHarmless(sql: string): Promise<void> {
    await this.#stream(sql, narrow).catch(() => {});
    await this.#expectUnchanged();
  }

  async failChecked(sql: string): Promise<void> {
    await expect(this.#check(sql).then((checked) => this.#stream(checked, narrow))).rejects.toBeInstanceOf(Error);
    await this.#expectUnchanged();
  }

  async failGuarded(sql: string): Promise<void> {
    await expect(this.#stream(sql, narrow)).rejects.toBeInstanceOf(Error);
    await this.#expectUnchanged();
  }

  async #expectUnchanged(): Promise<void> {
    expect(await this.#table.fingerprint(this.#opened())).toBe(this.#fingerprint);
  }

  async #check(sql: string, relation?: (name: TableName) => string): Promise<string> {
    const safeFunctions = await this.#opened().guarded.readSafeFunctions?.();
    const context: StatementContext = { resolve: (name) => this.#resolve(name, relation), safeFunctions };
    return this.#table.dialect.check(sql, context);
  }

  #resolve(name: readonly string[], relation?: (name: TableName) => string): ResolvedTable {
    const [table = "", schema] = name.toReversed().map((part) => part.toLowerCase());
    const found = this.#names.find(
      (each) => each.table.toLowerCase() === table && (schema === undefined || each.schema.toLowerCase() === schema),
    );
    if (found === undefined) {
      throw new StatementRefusedError(`There is no table ${name.join(".")}.`, { reason: "unknown_name" });
    }
    const full = { schema: found.schema, table: found.table };
    return relation === undefined ? full : { ...full, relation: relation(full) };
  }

  async #stream(sql: string, limits = wide): Promise<WarehouseRow[]> {
    const rows: WarehouseRow[] = [];
    for await (const batch of this.#opened().guarded.stream(sql, limits)) rows.push(...batch);
    return rows;
  }

  #opened(): Database {
    if (this.#database === undefined) throw new Error("The database is not open.");
    return this.#database;
  }
}

function testEach(statements: readonly Statement[], claim: string, run: (statement: Statement) => Promise<void>): void {
  for (const statement of statements) test(`${claim} ${describeStatement(statement)}`, () => run(statement));
}

function describeStatement({ sql, why }: Statement): string {
  return `${why}: ${JSON.stringify(sql).slice(1, -1).slice(0, 90)}`;
}
