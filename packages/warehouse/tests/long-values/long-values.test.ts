/** Checks that no engine assembles a value of hundreds of megabytes in memory. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { sampleOf } from "../../../../tests/support/soak.ts";
import { PostgresCluster, skipsPostgres } from "../../../stores/postgres/tests/postgres-cluster.ts";
import { ClickHouseServer } from "../clickhouse/clickhouse-server.ts";
import { runPlainly, TestFolder } from "../duckdb/database.ts";
import { MariaDbServer, skipsMariaDb } from "../mysql/mariadb-server.ts";
import { SqliteDatabase } from "../sqlite/sqlite-database.ts";
import { ScriptedServer } from "../sqlserver/scripted-server.ts";
import { integer, longText, text } from "../sqlserver/tds-tokens.ts";

const program = join(import.meta.dirname, "read-and-measure.ts");

async function measure(config: object, statement: string) {
  const args = ["--conditions=@bridle/source", "--no-warnings", program, JSON.stringify(config), statement];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const measured: { rows: number; outcome?: string; grownMb: number } = JSON.parse(stdout);
  return measured;
}

/** The memory limit: much less than the value, and more than a driver and the garbage collector need. */
const maxMb = 120;

/** Checks that rows are cut: some rows before a long value, the long value alone, and values that are too long together. */
async function expectCut(config: object, statement: string, rows: number): Promise<void> {
  const measured = await measure(config, statement);
  expect(measured).toMatchObject({ rows, outcome: "bytes" });
  expect(measured.grownMb).toBeLessThan(maxMb);
}

describe.skipIf(skipsPostgres)("on PostgreSQL (needs Debian's package postgresql)", () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await PostgresCluster.create();
  });
  afterAll(() => cluster?.remove());

  test.each(
    sampleOf<[statement: string, rows: number]>(
      [
        ["SELECT n, repeat('x', CASE WHEN n < 3 THEN 10 ELSE 250000000 END) FROM generate_series(1, 3) n", 2],
        ["SELECT repeat('x', 250000000)", 0],
        ["SELECT repeat('é', 2000000) FROM generate_series(1, 200)", 1],
      ],
      2,
    ),
  )("rows before a value that is too long are read, and it is not: %s", async (statement, rows) => {
    await expectCut({ type: "postgres", url: cluster.url, sslmode: "disable" }, statement, rows);
  });
});

describe.skipIf(skipsMariaDb)("on MariaDB (needs Debian's package mariadb-server)", () => {
  let server: MariaDbServer;
  beforeAll(async () => {
    server = await MariaDbServer.create({ options: ["--max-allowed-packet=1G"] });
    await server.send(
      "CREATE DATABASE shop",
      "CREATE USER reader@localhost",
      "GRANT SELECT ON shop.* TO reader@localhost",
    );
  });
  afterAll(() => server?.remove());

  test.each(
    sampleOf<[statement: string, rows: number]>(
      [
        ["SELECT seq, REPEAT('x', IF(seq < 3, 10, 250000000)) FROM shop.seq_1_to_3", 2],
        ["SELECT REPEAT('x', 250000000)", 0],
        ["SELECT REPEAT('x', 3000000) FROM shop.seq_1_to_200", 1],
      ],
      2,
    ),
  )("rows before a value that is too long are read, and it is not: %s", async (statement, rows) => {
    await expectCut({ type: "mysql", socket: server.socket, user: "reader", database: "shop" }, statement, rows);
  });
});

test.each(
  sampleOf<[statement: string, rows: number]>(
    [
      ["SELECT i, repeat('x', CASE WHEN i < 2 THEN 10 ELSE 50000000 END) FROM range(3) r(i)", 2],
      ["SELECT repeat('x', 100000000)", 0],
      ["SELECT [{a: repeat('é', 10000000)}]", 0],
    ],
    2,
  ),
)("on DuckDB, rows before a value that is too long are read, and it is not: %s", async (statement, rows) => {
  const folder = new TestFolder();
  onTestFinished(() => folder.remove());
  await runPlainly(folder.file("shop.duckdb"), "CREATE TABLE a (x INTEGER)");
  await expectCut({ type: "duckdb", file: folder.file("shop.duckdb") }, statement, rows);
});

test("on DuckDB, a statement that fills the memory ends its own process only", async () => {
  const folder = new TestFolder();
  onTestFinished(() => folder.remove());
  await runPlainly(folder.file("shop.duckdb"), "CREATE TABLE a (x INTEGER)");
  const config = { type: "duckdb", file: folder.file("shop.duckdb"), memory: "100MB" };
  const { outcome, grownMb } = await measure(config, "SELECT repeat('x', 10000000) FROM range(2048)");
  expect(outcome).toMatch(/^InvalidRequestError: DuckDB: a statement needed more memory than the connection may have/);
  expect(grownMb).toBeLessThan(maxMb);
});

test("on SQLite, rows before a value that is too long are read, and it is not", async () => {
  const database = new SqliteDatabase();
  onTestFinished(() => database.close());
  const statement = "SELECT 1 UNION ALL SELECT zeroblob(90000000)";
  await expectCut({ type: "sqlite", file: database.file }, statement, 1);
});

test("on ClickHouse, rows before a value that is too long are read, and it is not", async () => {
  const long = `["${"x".repeat(120_000_000)}"]`;
  const server = await ClickHouseServer.start((sql) => {
    if (sql.includes("version()")) return "25.8.1.1\tshop\t0\n";
    return { columns: [["t", "String"]], rows: sql.includes("long") ? ['["a"]', '["b"]', long] : ['["c"]'] };
  });
  onTestFinished(() => server.close());
  const account = { type: "clickhouse", host: "127.0.0.1", tls: "off", user: "reader", password: "right" };
  await expectCut({ ...account, port: server.port, database: "shop" }, "SELECT long", 2);
});

test("on SQL Server, rows before a value that is too long are read, and it is not", async () => {
  const long = "x".repeat(60_000_000);
  const server = await ScriptedServer.start((sql) => {
    if (/^(set |IF @@)/i.test(sql)) return {};
    if (!sql.includes("ProductVersion"))
      return { columns: [longText("t")], rows: sql.includes("long") ? [["a"], ["b"], [long]] : [["c"]] };
    return { columns: [text("v"), text("s"), text("d"), integer("i")], rows: [["16.0.1000.6", "dbo", "shop", 1]] };
  });
  onTestFinished(() => server.close());
  const account = { type: "sqlserver", host: "127.0.0.1", tls: "off", user: "reader", password: "right" };
  await expectCut({ ...account, port: server.port, database: "shop" }, "SELECT long AS t FROM shop.orders", 2);
});
