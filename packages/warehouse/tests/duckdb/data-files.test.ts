import { mkdirSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EngineConnection } from "../../src/index.ts";
import { connectTo, readAll, runPlainly, TestFolder } from "./database.ts";

const folder = new TestFolder();
let connection: EngineConnection;

beforeAll(async () => {
  mkdirSync(folder.file("data/parts"), { recursive: true });
  writeFileSync(
    folder.file("data/shops.csv"),
    'id,zip,amount,big,note\n1,00123,12.50,12345678901234567890,"a, ""b"""\n2,04567,3.1,98765432109876543210,\n',
  );
  writeFileSync(folder.file("data/rates.tsv"), "day\trate\n2024-01-31\t1e-3\n2024-02-01\t2.5\n");
  writeFileSync(
    folder.file("data/events.jsonl"),
    '{"id": 1, "tags": ["a"], "at": {"x": 1.5}}\n{"id": 2, "tags": [], "at": null}\n',
  );
  writeFileSync(folder.file('data/it\'s [1] "odd".csv'), "a\n1\n");
  writeFileSync(folder.file("data/torn.csv"), 'a,b\n1,2\n3\n4,5,6\n"x,1\n');
  writeFileSync(folder.file("data/torn.parquet.bak"), "no data file");
  writeFileSync(folder.file("data/broken.parquet"), "not a Parquet file");
  writeFileSync(folder.file("secret.csv"), "word\nkept-outside-4711\n");
  await runPlainly(
    ":memory:",
    `COPY (SELECT i AS id, i * 1.5 AS price FROM range(100) r(i)) TO '${folder.file("data/prices.parquet")}'`,
    `COPY (SELECT 1 AS id, DATE '2024-01-01' AS day) TO '${folder.file("data/parts/part-1.parquet")}'`,
    `COPY (SELECT 2 AS id, DATE '2024-01-02' AS day, 'new' AS more) TO '${folder.file("data/parts/part-2.parquet")}'`,
  );
  connection = await connectTo({ files: "data" }, folder.path);
});

afterAll(async () => {
  await connection.close();
  folder.remove();
});

test("each data file of a folder is a table with the name of the file", async () => {
  const { tables } = await connection.readStructure(undefined);
  expect(tables.map(({ schema, table, kind }) => [schema, table, kind])).toEqual([
    ["main", "events", "table"],
    ["main", 'it\'s [1] "odd"', "table"],
    ["main", "prices", "table"],
    ["main", "rates", "table"],
    ["main", "shops", "table"],
  ]);
});

test("a data file that cannot be read is a problem in one sentence, and the others are read", async () => {
  const { problems } = await connection.readStructure(undefined);
  expect(problems.map(({ table, problem }) => [table, problem.replaceAll(folder.path, "")])).toEqual([
    ["broken", expect.stringMatching(/^\/data\/broken\.parquet cannot be read as Parquet: No magic bytes found.*\.$/)],
    ["torn", "/data/torn.csv cannot be read as CSV: its rows have different numbers of columns."],
  ]);
});

test("a CSV file keeps leading zeros, the digits of decimals and integers of 20 digits", async () => {
  expect(await readAll(connection, "SELECT * FROM shops ORDER BY id")).toEqual([
    [1n, "00123", "12.50", 12345678901234567890n, 'a, "b"'],
    [2n, "04567", "3.10", 98765432109876543210n, null],
  ]);
});

test("a number with an exponent in a CSV file is a float", async () => {
  expect(await readAll(connection, "SELECT * FROM rates ORDER BY day")).toEqual([
    ["2024-01-31", 0.001],
    ["2024-02-01", 2.5],
  ]);
});

test("nested values of JSON lines are arrays and JSON", async () => {
  expect(await readAll(connection, "SELECT * FROM events ORDER BY id")).toEqual([
    [1n, ["a"], '{"x":1.5}'],
    [2n, [], null],
  ]);
});

test("a file with quotes and brackets in its name is a table", async () => {
  expect(await readAll(connection, 'SELECT * FROM "it\'s [1] ""odd"""')).toEqual([[1n]]);
});

test("a pattern makes one table of several files, whose columns are joined by name", async () => {
  const parts = await connectTo(
    { files: { parts: "data/parts/*.parquet", both_files: ["data/shops.csv"] } },
    folder.path,
  );
  try {
    expect(await readAll(parts, "SELECT * FROM parts ORDER BY id")).toEqual([
      [1n, "2024-01-01", null],
      [2n, "2024-01-02", "new"],
    ]);
    expect(await readAll(parts, "SELECT count(*) FROM both_files")).toEqual([[2n]]);
  } finally {
    await parts.close();
  }
});

test.each([
  ["read_csv('PATH/secret.csv')"],
  ["read_text('PATH/secret.csv')"],
  ["'PATH/secret.csv'"],
  ["glob('PATH/*')"],
  ["read_parquet('PATH/data/parts/part-1.parquet')"],
  ["'/etc/hostname'"],
])("the session reads no file beside those of the connection: %s", async (relation) => {
  const sql = `SELECT * FROM ${relation.replaceAll("PATH", folder.path)}`;
  await expect(readAll(connection, sql)).rejects.toThrow(/disabled by configuration|does not exist/);
});

test.each([
  ["COPY (SELECT 1) TO 'PATH/data/shops.csv' (USE_TMP_FILE false)"],
  ["CREATE OR REPLACE VIEW shops AS SELECT 1 AS id"],
  ["CREATE TABLE t AS SELECT 1 AS a"],
  ["DROP VIEW shops"],
])("the session changes neither the files nor their tables: %s", async (sql) => {
  await expect(readAll(connection, sql.replaceAll("PATH", folder.path))).rejects.toThrow(/not a SELECT/);
  expect(await readAll(connection, "SELECT zip FROM shops ORDER BY id")).toEqual([["00123"], ["04567"]]);
});

test("a mark of a data file differs if its content differs, and only then", async () => {
  const tables = ["shops", "prices"].map((table) => ({ schema: "main", table }));
  writeFileSync(folder.file("data/shops.csv"), "id,zip\n1,00123\n");
  const before = await connection.readChangeMarks(tables);
  writeFileSync(folder.file("data/shops.csv"), "id,zip\n1,00123\n");
  expect(await connection.readChangeMarks(tables)).toEqual(before);
  writeFileSync(folder.file("data/shops.csv"), "id,zip\n2,00123\n");
  const after = await connection.readChangeMarks(tables);
  expect(after[0]).not.toBe(before[0]);
  expect(after[1]).toBe(before[1]);
  expect(await readAll(connection, "SELECT * FROM shops")).toEqual([[2n, "00123"]]);
});

test("the connection says which file is missing, and which names are not unique", async () => {
  await expect(connectTo({ files: ["nowhere.csv"] }, folder.path)).rejects.toThrow(/nowhere\.csv does not exist/);
  await expect(connectTo({ files: { t: "data/*.xlsx" } }, folder.path)).rejects.toThrow(
    "files.t: no file matches data/*.xlsx",
  );
  await expect(connectTo({ files: { t: ["data/shops.csv", "data/prices.parquet"] } }, folder.path)).rejects.toThrow(
    "files.t has files of several formats. Use one table for each format.",
  );
  await expect(connectTo({ files: ["data/shops.csv", "data/shops.csv"] }, folder.path)).rejects.toThrow(
    "shops.csv and shops.csv would both be the table shops. Write names for them in files.",
  );
});
