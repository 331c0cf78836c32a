import { spawn } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import * as driver from "@duckdb/node-api";
import { afterAll, expect, test } from "vitest";
import { sampleOf } from "../../../../tests/support/soak.ts";
import { DuckDbConnection } from "../../src/connectors/duckdb/connection.ts";
import { connectTo, readAll, runPlainly, TestFolder } from "./database.ts";

const folder = new TestFolder();
afterAll(() => folder.remove());

const table = (name: string) => ({ schema: "main", table: name });

test("a table keeps its mark while others change, and gets another one with each change of its own", async () => {
  const file = folder.file("marks.duckdb");
  await runPlainly(
    file,
    "CREATE TABLE a AS SELECT i, 'x' || i AS t FROM range(130000) r(i)",
    "CREATE TABLE b AS SELECT * FROM a",
    "CREATE TABLE c AS SELECT 1 AS x, 'k' AS y",
    "CREATE VIEW v AS SELECT * FROM c",
  );
  const tables = ["a", "b", "c", "v", "gone"].map(table);
  const changes = [
    "UPDATE b SET t = 'y' WHERE i = 7",
    "UPDATE b SET t = 'z' WHERE i = 7",
    "DELETE FROM b WHERE i = 8",
    "INSERT INTO b VALUES (8, 'x8')",
    "ALTER TABLE b RENAME COLUMN t TO other",
    "ALTER TABLE b ADD COLUMN more INTEGER",
  ];
  const connection = await connectTo({ file });
  const seen = new Set<string | undefined>();
  const first = await connection.readChangeMarks(tables);
  expect(await connection.readChangeMarks(tables)).toEqual(first);
  expect(first[4]).toBeUndefined();
  seen.add(first[1]);
  await connection.close();
  for (const change of sampleOf(changes, 3)) {
    await runPlainly(file, change);
    const other = await connectTo({ file });
    const [a, b, c] = await other.readChangeMarks(tables);
    await other.close();
    expect([a, c], change).toEqual([first[0], first[2]]);
    expect(seen.has(b), change).toBe(false);
    seen.add(b);
  }
});

test("a table with quotes in its names has a mark, which differs with each change of the table", async () => {
  const file = folder.file("quotes.duckdb");
  const name = `"s""x"."t'); DROP TABLE a; -- ""q"""`;
  await runPlainly(
    file,
    'CREATE SCHEMA "s""x"',
    `CREATE TABLE ${name} AS SELECT 1 AS a`,
    "CREATE TABLE a AS SELECT 2 AS b",
  );
  const tables = [{ schema: 's"x', table: `t'); DROP TABLE a; -- "q"` }, table("a")];
  const read = async () => {
    const connection = await connectTo({ file });
    const marks = await connection.readChangeMarks(tables);
    await connection.close();
    return marks;
  };
  const [quoted, plain] = await read();
  await runPlainly(file, `UPDATE ${name} SET a = 3`);
  const [changed, same] = await read();
  expect([quoted, changed, plain]).not.toContain(undefined);
  expect(changed).not.toBe(quoted);
  expect(same).toBe(plain);
});

test("changes that are only in the write-ahead log change the mark of their table only", async () => {
  const file = folder.file("log.duckdb");
  await runPlainly(
    file,
    "CREATE TABLE a AS SELECT i, 'v' || i AS t FROM range(10) r(i)",
    "CREATE TABLE b AS SELECT 1 AS x",
  );
  const tables = ["a", "b"].map(table);
  const marks: (readonly (string | undefined)[])[] = [];
  for (const change of [
    "SELECT 1",
    "UPDATE a SET t = 'y' WHERE i = 3",
    "UPDATE a SET t = 'z' WHERE i = 3",
    "DELETE FROM a WHERE i = 4",
  ]) {
    await runPlainly(file, "PRAGMA disable_checkpoint_on_shutdown", "SET checkpoint_threshold = '1GB'", change);
    const connection = await connectTo({ file });
    marks.push(await connection.readChangeMarks(tables));
    await connection.close();
  }
  expect(existsSync(`${file}.wal`)).toBe(true);
  expect(new Set(marks.map(([a]) => a)).size).toBe(4);
  expect(new Set(marks.map(([, b]) => b)).size).toBe(1);
});

test("a database that another process writes to is locked, and says by whom", async () => {
  const file = folder.file("locked.duckdb");
  await runPlainly(file, "CREATE TABLE a AS SELECT 1 AS x");
  const program = `const { DuckDBInstance } = require("@duckdb/node-api");
    DuckDBInstance.create(${JSON.stringify(file)}).then(async (instance) => { globalThis.kept = await instance.connect(); console.log("open"); });
    process.stdin.resume();`;
  const writer = spawn(process.execPath, ["-e", program], {
    cwd: import.meta.dirname,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = new Promise((resolve) => writer.once("exit", resolve));
  try {
    await new Promise((resolve) => writer.stdout.once("data", resolve));
    await expect(connectTo({ file })).rejects.toThrow(
      `${file} is locked by the process ${writer.pid}, which writes to it. Close it there, and try again.`,
    );
  } finally {
    writer.kill("SIGKILL");
    await exited;
  }
  const connection = await connectTo({ file });
  expect(await readAll(connection, "SELECT x FROM a")).toEqual([[1n]]);
  await connection.close();
});

test("the file is released when no statement has run for a while, and read again when it has changed", async () => {
  const file = folder.file("shared.duckdb");
  await runPlainly(file, "CREATE TABLE a AS SELECT 1 AS x");
  const config = { type: "duckdb" as const, file };
  const connection = await DuckDbConnection.open({ driver, config, projectDir: "/", idleMs: 0 });
  expect(await readAll(connection, "SELECT x FROM a")).toEqual([[1n]]);
  const write = `const { DuckDBInstance } = require("@duckdb/node-api");
    DuckDBInstance.create(${JSON.stringify(file)}).then(async (instance) => { const c = await instance.connect();
      await c.run("UPDATE a SET x = 2"); c.closeSync(); instance.closeSync(); }).catch((error) => { console.error(String(error)); process.exitCode = 1; });`;
  await expect.poll(() => runNode(write), { timeout: 30_000 }).toBe(0);
  expect(await readAll(connection, "SELECT x FROM a")).toEqual([[2n]]);
  await connection.close();
});

test("a result whose rows are never read releases the file at its limit of time", async () => {
  const file = folder.file("unread.duckdb");
  await runPlainly(file, "CREATE TABLE a AS SELECT 1 AS x");
  const config = { type: "duckdb" as const, file };
  const connection = await DuckDbConnection.open({ driver, config, projectDir: "/", idleMs: 0 });
  const limits = { maxRows: 1e9, maxBytes: 1e12, timeoutMs: 1_000 };
  const stream = connection.stream("SELECT range FROM range(10000000)", limits);
  await stream.columns().catch(() => {}); // on a busy machine, the time may already be over
  const write = `require("@duckdb/node-api").DuckDBInstance.create(${JSON.stringify(file)}).then((instance) => instance.closeSync(),
    () => { process.exitCode = 1; });`;
  await expect.poll(() => runNode(write), { timeout: 30_000 }).toBe(0);
  await expect(stream[Symbol.asyncIterator]().next()).rejects.toThrow("took longer than 1 s");
  await connection.close();
});

function runNode(program: string): Promise<number | null> {
  const child = spawn(process.execPath, ["-e", program], { cwd: import.meta.dirname, stdio: "ignore" });
  return new Promise((resolve) => child.once("exit", resolve));
}

test("a database that was replaced by another file is read anew", async () => {
  const [file, next] = [folder.file("replaced.duckdb"), folder.file("next.duckdb")];
  await runPlainly(file, "CREATE TABLE a AS SELECT 1 AS x");
  await runPlainly(next, "CREATE TABLE a AS SELECT 2 AS x");
  const connection = await connectTo({ file });
  expect(await readAll(connection, "SELECT x FROM a")).toEqual([[1n]]);
  renameSync(next, file);
  expect(await readAll(connection, "SELECT x FROM a")).toEqual([[2n]]);
  await connection.close();
});

test("a database is opened again after many statements, so that its memory does not grow with the tables that were read", async () => {
  const file = folder.file("worn.duckdb");
  await runPlainly(file, "CREATE TABLE a AS SELECT 1 AS x");
  let opened = 0;
  class CountedInstance extends driver.DuckDBInstance {
    static override async create(...words: Parameters<typeof driver.DuckDBInstance.create>) {
      opened++;
      return await driver.DuckDBInstance.create(...words);
    }
  }
  const counting = { ...driver, DuckDBInstance: CountedInstance };
  const config = { type: "duckdb" as const, file };
  const connection = await DuckDbConnection.open({ driver: counting, config, projectDir: "/", idleMs: 60_000 });
  const stream = connection.stream("SELECT x FROM a", { maxRows: 1, maxBytes: 1e6, timeoutMs: 60_000 });
  await stream.columns();
  for (let statement = 0; statement < 450; statement++) await readAll(connection, "SELECT x FROM a");
  expect(opened, "while a result is open").toBe(1);
  for await (const rows of stream) expect(rows).toEqual([[1n]]);
  await readAll(connection, "SELECT x FROM a");
  expect(opened).toBe(2);
  const marks = await connection.readChangeMarks(Array.from({ length: 1_000 }, () => table("a")));
  expect(new Set(marks)).toEqual(new Set([expect.any(String)]));
  expect(opened).toBe(4);
  await connection.close();
});

test("a connection at rest releases the file at once, unless a result is open, and reads it again", async () => {
  const file = folder.file("rested.duckdb");
  await runPlainly(file, "CREATE TABLE a AS SELECT 1 AS x");
  const config = { type: "duckdb" as const, file };
  const connection = await DuckDbConnection.open({ driver, config, projectDir: "/", idleMs: 60_000 });
  const write = `require("@duckdb/node-api").DuckDBInstance.create(${JSON.stringify(file)}).then((instance) => instance.closeSync(),
    () => { process.exitCode = 1; });`;
  const stream = connection.stream("SELECT x FROM a", { maxRows: 1, maxBytes: 1e6, timeoutMs: 60_000 });
  await stream.columns();
  await connection.rest();
  expect(await runNode(write)).toBe(1);
  for await (const rows of stream) expect(rows).toEqual([[1n]]);
  await connection.rest();
  expect(await runNode(write)).toBe(0);
  expect(await readAll(connection, "SELECT x FROM a")).toEqual([[1n]]);
  await connection.close();
});

test("a schema with the name of the database file can be read", async () => {
  const file = folder.file("shop.duckdb");
  await runPlainly(file, "CREATE SCHEMA shop", "CREATE TABLE shop.shop.a AS SELECT 1 AS x");
  const connection = await connectTo({ file });
  expect(connection.server.catalog).toBe("shop_database");
  expect(await readAll(connection, "SELECT x FROM shop.a")).toEqual([[1n]]);
  await connection.close();
});

test("views that fail, read a file or log are problems or refused, and the rest is read", async () => {
  const file = folder.file("views.duckdb");
  writeFileSync(folder.file("secret.csv"), "word\nkept-outside-4711\n");
  await runPlainly(
    file,
    "CREATE TABLE a AS SELECT 1 AS x",
    "CREATE TABLE b AS SELECT 1 AS x",
    "CREATE VIEW broken AS SELECT * FROM b",
    "DROP TABLE b",
    `CREATE VIEW leaking AS SELECT * FROM '${folder.file("secret.csv")}'`,
    "CREATE VIEW logging AS SELECT * FROM enable_logging(storage = 'stdout')",
    "CREATE MACRO lower(word) AS (SELECT max(x) FROM a)",
  );
  const connection = await connectTo({ file });
  const { tables, problems } = await connection.readStructure(undefined);
  expect(tables.map((each) => each.table)).toEqual(["a", "logging"]);
  expect(problems.map((each) => each.table)).toEqual(["broken", "leaking"]);
  for (const { problem } of problems) expect(problem).toMatch(/^The view cannot be read: [^\n]+\.$/);
  await expect(readAll(connection, "SELECT * FROM logging")).rejects.toThrow("calls enable_logging, which has effects");
  expect((await connection.readSafeFunctions?.())?.has("lower")).toBe(false);
  expect((await connection.readSafeFunctions?.())?.has("upper")).toBe(true);
  await connection.close();
});

test("a file of a newer version and a damaged file are explained in one sentence", async () => {
  const file = folder.file("version.duckdb");
  await runPlainly(file, "CREATE TABLE a AS SELECT 1 AS x");
  writeFileSync(folder.file("newer.duckdb"), withVersion(readFileSync(file), 9999n));
  await expect(connectTo({ file: folder.file("newer.duckdb") })).rejects.toThrow(
    /newer\.duckdb was written by a newer version of DuckDB\. Update the package @duckdb\/node-api\.$/,
  );
  const damaged = readFileSync(file);
  damaged.fill(7, 12_300, 100_000);
  writeFileSync(folder.file("damaged.duckdb"), damaged);
  await expect(connectTo({ file: folder.file("damaged.duckdb") })).rejects.toThrow(
    /damaged\.duckdb is damaged \([^\n]+\)\. Restore it from a copy\.$/,
  );
});

/** Changes the version in the main header, and the header's checksum as DuckDB computes it. */
function withVersion(database: Buffer, version: bigint): Buffer {
  const bytes = Buffer.from(database);
  bytes.writeBigUInt64LE(version, 12);
  let checksum = 5381n;
  for (let at = 8; at < 4096; at += 8) checksum ^= BigInt.asUintN(64, bytes.readBigUInt64LE(at) * 0xbf58476d1ce4e5b9n);
  bytes.writeBigUInt64LE(checksum, 0);
  return bytes;
}

test("a statement that needs more memory than allowed is explained, and nothing is left in the folder", async () => {
  const file = folder.file("memory/small.duckdb");
  await import("node:fs/promises").then(({ mkdir }) => mkdir(folder.file("memory")));
  copyFileSync(folder.file("version.duckdb"), file);
  const connection = await connectTo({ file, memory: "30MB", threads: 1 });
  await expect(readAll(connection, "SELECT count(DISTINCT md5(range::VARCHAR)) FROM range(3000000)")).rejects.toThrow(
    "DuckDB has not enough memory for the statement. Read fewer rows or columns, or raise memory of the connection.",
  );
  expect(await readAll(connection, "SELECT 1")).toEqual([[1n]]);
  await connection.close();
  expect(readdirSync(folder.file("memory"))).toEqual(["small.duckdb"]);
});
