import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TimeoutError } from "@bridle/protocol";
import { afterEach, expect, test } from "vitest";
import { sqliteConnector } from "../../src/connectors/sqlite/sqlite-connector.ts";
import type { EngineConnection, WarehouseRow } from "../../src/index.ts";
import { SqliteDatabase } from "./sqlite-database.ts";

const opened: { close(): void | Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

function create(sql: string): SqliteDatabase {
  const database = new SqliteDatabase();
  opened.push(database);
  database.writer.exec(sql);
  return database;
}

async function connect(file: string): Promise<EngineConnection> {
  const context = { projectDir: "/" };
  const connection = await sqliteConnector.connect({ type: "sqlite", file }, context);
  opened.push(connection);
  return connection;
}

async function read(connection: EngineConnection, sql: string, timeoutMs = 60_000): Promise<WarehouseRow[]> {
  const rows: WarehouseRow[] = [];
  for await (const batch of connection.stream(sql, { maxRows: 1_000, maxBytes: 1_000_000, timeoutMs }))
    rows.push(...batch);
  return rows;
}

const endless = "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c";

test("a view that cannot be read is a problem, and the rest of the SQLite file is listed", async () => {
  const { file } = create(`
    CREATE TABLE t (a); CREATE VIEW broken AS SELECT * FROM gone; CREATE VIEW half AS SELECT nope FROM t;
    CREATE VIEW fine AS SELECT a FROM t; CREATE VIEW odd AS SELECT load_extension('x') AS a;`);
  const { tables, problems } = await (await connect(file)).readStructure(undefined);
  expect(tables.map(({ table }) => table)).toEqual(["fine", "t"]);
  expect(problems).toEqual([
    { schema: "main", table: "broken", kind: "view", problem: "It cannot be read: no such table: main.gone." },
    { schema: "main", table: "half", kind: "view", problem: "It cannot be read: no such column: nope." },
    expect.objectContaining({ table: "odd", problem: expect.stringMatching(/^It cannot be read: /) }),
  ]);
});

test("generated columns are listed, and columns that a virtual table hides are not", async () => {
  const { file } = create(`
    CREATE TABLE g (a INTEGER, b INTEGER AS (a + 1) STORED, c TEXT GENERATED ALWAYS AS (a || 'x') VIRTUAL);
    CREATE VIRTUAL TABLE f USING fts5(title, body);`);
  const { tables } = await (await connect(file)).readStructure(undefined);
  const columns = tables.map(({ table, columns }) => [table, columns.map(({ name }) => name)]);
  expect(columns).toEqual([
    ["f", ["title", "body"]],
    ["g", ["a", "b", "c"]],
  ]);
});

test("keys of SQLite tables without rowid, of STRICT tables and of references without columns are read", async () => {
  const { file } = create(`
    CREATE TABLE parent (a TEXT, b INT, PRIMARY KEY (b, a)) WITHOUT ROWID;
    CREATE TABLE child (x TEXT, y INT, z ANY, FOREIGN KEY (y, x) REFERENCES PARENT) STRICT;
    CREATE TABLE lost (x REFERENCES nowhere, y REFERENCES nowhere (id));
    CREATE TABLE loose (k TEXT PRIMARY KEY);
    CREATE UNIQUE INDEX partial ON child (x) WHERE y > 1; CREATE UNIQUE INDEX expression ON child (lower(x));
    CREATE UNIQUE INDEX both ON child (x, z);`);
  const { tables } = await (await connect(file)).readStructure(undefined);
  const [child, loose, lost, parent] = tables;
  expect(parent).toMatchObject({ primaryKey: ["b", "a"], columns: [{ nullable: false }, { nullable: false }] });
  expect(child?.foreignKeys).toEqual([
    { columns: ["y", "x"], references: { schema: "main", table: "parent", columns: ["b", "a"] } },
  ]);
  expect(child?.uniqueKeys).toEqual([["x", "z"]]);
  expect(lost?.foreignKeys.map(({ references }) => references.columns)).toEqual([["id"]]);
  expect(loose?.columns[0]?.nullable).toBe(true); // in SQLite, a key of type text may be NULL
});

test("row counts of ANALYZE are estimates, and without it there are none", async () => {
  const { file, writer } = create("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3); CREATE TABLE u (a)");
  const before = await (await connect(file)).readStructure(undefined);
  expect(before.tables.map(({ estimatedRows }) => estimatedRows)).toEqual([undefined, undefined]);
  writer.exec("ANALYZE");
  const after = await (await connect(file)).readStructure(undefined);
  expect(after.tables.map(({ table, estimatedRows }) => [table, estimatedRows])).toEqual([
    ["t", 3],
    ["u", undefined],
  ]);
});

test("the form of a SQLite value follows from the value and not from its column", async () => {
  const { file } = create("CREATE TABLE t (a DATE); INSERT INTO t VALUES (1), (1.5), ('x'), (x'00'), (NULL), (9e999)");
  expect(await read(await connect(file), "SELECT a FROM t")).toEqual([
    [1n],
    [1.5],
    ["x"],
    [new Uint8Array([0])],
    [null],
    [Number.POSITIVE_INFINITY],
  ]);
});

test("rows in the log of a writer are read, and change the mark of the file", async () => {
  const { file, writer } = create("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  const connection = await connect(file);
  expect(await read(connection, "SELECT a FROM t")).toEqual([[1n]]);
  const names = [{ schema: "main", table: "t" }];
  const before = await connection.readChangeMarks(names);
  writer.exec("INSERT INTO t VALUES (2)");
  expect(await read(connection, "SELECT a FROM t")).toEqual([[1n], [2n]]);
  expect(await connection.readChangeMarks(names)).not.toEqual(before);
});

test("a file with a finished log is read although no file can be written beside it", async () => {
  const database = create("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  const copy = join(database.folder, "copy.db");
  database.writer.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  writeFileSync(copy, readFileSync(database.file));
  mkdirSync(`${copy}-shm`); // has the effect of a folder without write permission, even for root
  expect(await read(await connect(copy), "SELECT a FROM t")).toEqual([[1n]]);
});

test("changes in the log of a file are read although no file can be written beside it", async () => {
  const database = create("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  const copy = join(database.folder, "copy.db");
  writeFileSync(copy, readFileSync(database.file));
  writeFileSync(`${copy}-wal`, readFileSync(`${database.file}-wal`));
  mkdirSync(`${copy}-shm`);
  expect(await read(await connect(copy), "SELECT a FROM t")).toEqual([[1n]]);
});

test("a damaged file is named in one sentence, and the process stays usable", async () => {
  const database = create("CREATE TABLE t (a); CREATE TABLE u (a); INSERT INTO u VALUES (7)");
  database.writer.exec(
    "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 9000) INSERT INTO t SELECT hex(n) FROM c",
  );
  const bytes = readFileSync(database.file);
  const { rootpage } = database.writer.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 't'").get() ?? {};
  bytes.fill(0xff, (Number(rootpage) - 1) * 4096, Number(rootpage) * 4096);
  const copy = join(database.folder, "copy.db");
  writeFileSync(copy, bytes);
  const connection = await connect(copy);
  await expect(read(connection, "SELECT * FROM t")).rejects.toThrow(
    /^copy\.db is damaged \([^\n]*\)\. Restore it from a backup\.$/,
  );
  expect(await read(connection, "SELECT * FROM u")).toEqual([[7n]]);
});

test("a statement that is ended leaves others of the same connection alone", async () => {
  const { file } = create("CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  const connection = await connect(file);
  const runaway = read(connection, endless, 1_000);
  const others = Promise.all(Array.from({ length: 8 }, () => read(connection, "SELECT a FROM t")));
  await expect(runaway).rejects.toBeInstanceOf(TimeoutError);
  expect(await others).toEqual(Array.from({ length: 8 }, () => [[1n]]));
});

test("a statement that takes too much memory is ended with its process", async () => {
  const { file } = create("CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  const connection = await connect(file);
  const greedy = `WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT x FROM (SELECT n, randomblob(5000000) AS x FROM c) ORDER BY x`;
  await expect(read(connection, greedy, 300_000)).rejects.toThrow(/needs more memory/);
  expect(await read(connection, "SELECT a FROM t")).toEqual([[1n]]);
});

test("a program in which nothing else runs waits until the process of SQLite that was ended is explained", () => {
  const { file } = create("CREATE TABLE t (a)");
  const program = join(import.meta.dirname, "reading-program.ts");
  const output = execFileSync(process.execPath, ["--conditions=@bridle/source", program, file], { encoding: "utf8" });
  expect(output).toContain("needs more memory");
});

test("a SQLite file is never changed, not even its time, and no file is left beside it", async () => {
  const database = create("CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  const before = statSync(database.file).mtimeMs;
  const connection = await connect(database.file);
  for (const sql of [
    "SELECT * FROM t",
    "DELETE FROM t",
    "PRAGMA journal_mode = WAL",
    "SELECT a FROM t ORDER BY random()",
  ])
    await read(connection, sql).catch(() => {});
  expect(statSync(database.file).mtimeMs).toBe(before);
  expect(existsSync(`${database.file}-wal`) || existsSync(`${database.file}-journal`)).toBe(false);
});

test("no process is left after a SQLite connection was closed in the middle of a statement", async () => {
  const { file } = create("CREATE TABLE t (a)");
  const connection = await connect(file);
  const runaway = read(connection, endless, 300_000);
  const ended = expect(runaway).rejects.toThrow();
  await connection.close();
  await ended;
  const processes = execFileSync("ps", ["-eo", "ppid,args"], { encoding: "utf8" });
  const mine = processes
    .split("\n")
    .filter((line) => line.includes("sqlite-process") && line.trim().startsWith(`${process.pid} `));
  expect(mine).toEqual([]);
});

test("a table that another program adds is read without a new connection", async () => {
  const { file, writer } = create("CREATE TABLE t (a)");
  const connection = await connect(file);
  expect((await connection.readStructure(undefined)).tables).toHaveLength(1);
  writer.exec("CREATE TABLE u (b); INSERT INTO u VALUES (5)");
  expect((await connection.readStructure(undefined)).tables).toHaveLength(2);
  expect(await read(connection, "SELECT b FROM u")).toEqual([[5n]]);
});

test("an R-tree is read although another program changed the schema since", async () => {
  const { file, writer } = create("CREATE VIRTUAL TABLE r USING rtree(id, a, b); INSERT INTO r VALUES (1, 2, 3)");
  const connection = await connect(file);
  writer.exec("CREATE TABLE u (b)");
  expect(await read(connection, "SELECT id FROM r")).toEqual([[1n]]);
});

test("a folder is no SQLite file, and the message says so", async () => {
  const { folder } = create("CREATE TABLE t (a)");
  await expect(connect(folder)).rejects.toThrow(/it is a folder/);
  await expect(connect(join(folder, "nothing.db"))).rejects.toThrow(/there is no such file/);
});
