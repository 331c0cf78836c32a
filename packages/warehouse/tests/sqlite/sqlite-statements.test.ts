import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sqliteConnector } from "../../src/connectors/sqlite/sqlite-connector.ts";
import type { EngineConnection } from "../../src/index.ts";
import { type StatementDatabase, testStatements } from "../statement-harness.ts";
import { effects } from "./effects.ts";
import { SqliteDatabase } from "./sqlite-database.ts";
import { statements } from "./statements.ts";
import { hasUnguardedEffect } from "./unguarded-effects.ts";

const tables = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT, UNIQUE (name));
  CREATE TABLE orders (id INTEGER PRIMARY KEY AUTOINCREMENT, customer_id INTEGER REFERENCES customers (id), total REAL, placed TEXT, data JSON);
  CREATE INDEX orders_by_total ON orders (total);
  CREATE TABLE "order" ("select" INTEGER, "a""b" TEXT, [c d] TEXT, "e.f" TEXT);
  CREATE TABLE parts (part TEXT PRIMARY KEY, parent TEXT) WITHOUT ROWID;
  CREATE TABLE generated (a INTEGER, b INTEGER AS (a * 2) STORED, c AS (a + b)) ;
  CREATE VIEW big_orders AS SELECT o.*, c.name FROM orders o JOIN customers c ON c.id = o.customer_id WHERE total > 5;
  CREATE VIRTUAL TABLE notes USING fts5(title, body);
  CREATE VIRTUAL TABLE boxes USING rtree(id, min_x, max_x);
  CREATE TABLE 日本語 (値 TEXT);
  INSERT INTO customers VALUES (1, 'Ada', 'GB'), (2, 'Grace', 'US'), (3, 'Jun', NULL);
  INSERT INTO parts VALUES ('wheel', 'bike'), ('spoke', 'wheel'), ('bike', NULL);
  INSERT INTO orders (customer_id, total, placed, data) VALUES
    (1, 12.5, '2024-01-31', '{"tags": ["a", "b"], "n": {"x": 1}}'), (1, 3, '2024-02-29', '[1, 2]'), (2, 99.75, '2023-12-31', NULL);
  INSERT INTO "order" VALUES (1, 'two', 'three', 'four');
  INSERT INTO generated (a) VALUES (1), (2);
  INSERT INTO notes VALUES ('first', 'hello brave world'), ('second', 'good bye');
  INSERT INTO boxes VALUES (1, 0, 10), (2, 20, 30);
  INSERT INTO 日本語 VALUES ('五');
`;

/**
 * The file, and a connection that may write. The fingerprint covers everything that a statement could change: the file's bytes and the
 * other files in its folder.
 */
class SqliteStatementDatabase implements StatementDatabase {
  readonly guarded: EngineConnection;
  readonly #database: SqliteDatabase;

  private constructor(database: SqliteDatabase, guarded: EngineConnection) {
    this.#database = database;
    this.guarded = guarded;
  }

  static async open(): Promise<SqliteStatementDatabase> {
    const database = new SqliteDatabase();
    database.writer.exec(tables);
    const context = { projectDir: "/" };
    const guarded = await sqliteConnector.connect({ type: "sqlite", file: database.file }, context);
    return new SqliteStatementDatabase(database, guarded);
  }

  async runUnguarded(sql: string): Promise<number> {
    return this.#database.writer.prepare(sql, { readBigInts: true }).all().length;
  }

  async fingerprint(): Promise<string> {
    const files = readdirSync(this.#database.folder);
    const digest = createHash("sha256").update(readFileSync(this.#database.file)).digest("hex");
    return `${files.sort().join(" ")} ${readdirSync("/tmp").filter((name) => name.startsWith("bridle-effect"))} ${digest}`;
  }

  async close(): Promise<void> {
    await this.guarded.close();
    this.#database.close();
  }
}

testStatements({
  dialect: sqliteConnector.dialect,
  open: () => SqliteStatementDatabase.open(),
  statements,
  fingerprint: (database) => database.fingerprint(),
});

test("without both layers, the statements of SQLite that are refused have effects", () => {
  const database = new SqliteDatabase();
  const folder = mkdtempSync(join(tmpdir(), "bridle-unguarded-"));
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  database.writer.exec(tables);
  const effective = effects.filter(({ sql }) => hasUnguardedEffect(database.file, folder, sql));
  expect(effective.length).toBeGreaterThan(40);
});
