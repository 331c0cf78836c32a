/** The database that the tables of statements run on, next to files that no statement may read or change. */
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { EngineConnection } from "../../src/index.ts";
import type { StatementDatabase } from "../statement-harness.ts";
import { connectTo, runPlainly, TestFolder } from "./database.ts";
import { UnguardedDatabase } from "./unguarded-effects.ts";

/** Text that is in each file that must not be read. */
export const secret = "kept-outside-4711";

/** The path in statements that is replaced with the path of the folder, because test files do not share a folder. */
const folderMark = "/outside";

const setup = [
  "CREATE SEQUENCE order_ids START 100",
  "CREATE TYPE mood AS ENUM ('happy', 'sad')",
  "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, email VARCHAR UNIQUE, mood mood, tags VARCHAR[], address STRUCT(city VARCHAR, zip VARCHAR), extra JSON)",
  "INSERT INTO customers VALUES (1, 'Ada', 'ada@example.org', 'happy', ['a', 'b'], {'city': 'Bonn', 'zip': '01234'}, '{\"vip\": true, \"n\": [1, 2]}'), (2, 'Grace', NULL, 'sad', [], NULL, '{}'), (3, 'Edsger', 'e@example.org', NULL, ['b'], {'city': 'Köln', 'zip': '5'}, NULL)",
  "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), amount DECIMAL(12,2), placed DATE, shipped TIMESTAMP, region VARCHAR)",
  "INSERT INTO orders SELECT i, 1 + i % 3, i * 1.25, DATE '2024-01-01' + i::INTEGER, TIMESTAMP '2024-01-01 08:00:00' + to_hours(i), CASE i % 2 WHEN 0 THEN 'EU' ELSE 'US' END FROM range(1, 41) r(i)",
  "CREATE SCHEMA sales",
  "CREATE TABLE sales.orders (id INTEGER, total DOUBLE)",
  "INSERT INTO sales.orders VALUES (1, 10.5), (2, 20.5)",
  'CREATE TABLE "we""ird; -- t" ("select" INTEGER, "a.b" VARCHAR)',
  `INSERT INTO "we""ird; -- t" VALUES (1, 'x')`,
  "CREATE VIEW order_names AS SELECT o.id, c.name, o.amount FROM orders o JOIN customers c ON c.id = o.customer_id",
  "CREATE MACRO twice(x) AS x * 2",
  "CREATE MACRO all_orders() AS TABLE SELECT * FROM main.orders",
];

export class DuckDbStatementDatabase implements StatementDatabase {
  readonly guarded: EngineConnection;
  readonly #folder: TestFolder;
  readonly #instance: DuckDBInstance;
  readonly #plain: DuckDBConnection;
  #copies = 0;
  /** A copy of the file, because a statement without protection may overwrite the file itself. */
  #unchanged: Buffer | undefined;

  private constructor(
    folder: TestFolder,
    guarded: EngineConnection,
    instance: DuckDBInstance,
    plain: DuckDBConnection,
  ) {
    this.#folder = folder;
    this.guarded = guarded;
    this.#instance = instance;
    this.#plain = plain;
  }

  static async open(): Promise<DuckDbStatementDatabase> {
    const folder = new TestFolder();
    const file = folder.file("shop.duckdb");
    await runPlainly(file, ...setup);
    writeFileSync(folder.file("secret.csv"), `id,word\n1,${secret}\n`);
    writeFileSync(folder.file("secret.json"), `{"word": "${secret}"}\n`);
    await runPlainly(":memory:", `COPY (SELECT '${secret}' AS word) TO '${folder.file("secret.parquet")}'`);
    await runPlainly(folder.file("other.duckdb"), `CREATE TABLE words AS SELECT '${secret}' AS word`);
    mkdirSync(folder.file("copy"));
    copyFileSync(file, folder.file("copy/shop.duckdb"));
    const instance = await DuckDBInstance.create(folder.file("copy/shop.duckdb"));
    const plain = await instance.connect();
    return new DuckDbStatementDatabase(folder, await connectTo({ file }), instance, plain);
  }

  /** Returns the statement with the real path of the folder. */
  place(sql: string): string {
    return sql.replaceAll(folderMark, this.#folder.path);
  }

  async runUnguarded(sql: string): Promise<number> {
    return (await this.#plain.runAndReadAll(sql)).currentRowCount;
  }

  /** Whether a statement has an effect on a fresh copy, without any protection. */
  async hasUnguardedEffect(sql: string): Promise<boolean> {
    this.#unchanged ??= readFileSync(this.#folder.file("shop.duckdb"));
    this.#copies += 1;
    const file = this.#folder.file(`copy-${this.#copies}.duckdb`);
    writeFileSync(file, this.#unchanged);
    const copy = await UnguardedDatabase.open(file, this.#folder.path);
    try {
      return await copy.hasEffect(this.place(sql), secret);
    } finally {
      copy.close();
    }
  }

  /** Returns each file of the folder with its content, except the copy, which is open for writing. */
  fingerprint(): Promise<string> {
    const names = readdirSync(this.#folder.path, { recursive: true, encoding: "utf8" }).sort();
    const files = names.filter((name) => !name.startsWith("copy") && statSync(join(this.#folder.path, name)).isFile());
    const digests = files.map((name) => {
      const content = readFileSync(join(this.#folder.path, name));
      return `${name} ${createHash("sha256").update(content).digest("hex")}`;
    });
    return Promise.resolve([...digests, names.join(" ")].join("\n"));
  }

  async close(): Promise<void> {
    await this.guarded.close();
    this.#plain.disconnectSync();
    this.#instance.closeSync();
    this.#folder.remove();
  }
}
