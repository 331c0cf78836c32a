import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import type { DriftEntry, JoinFacts, TableFacts } from "./facts.ts";
import { ScanRunningError } from "./facts-errors.ts";
import type { StoredConnection } from "./facts-schemas.ts";
import { type FactsDatabase, openFacts } from "./open-facts.ts";

test("facts are read as they were written, tables in the order of their identifiers", () => {
  const { facts } = open();
  store(facts, {
    connection: { ...connection, scannedAt: "2025-01-01T00:00:00Z" },
    tables: [table("w.main.b"), table("w.main.a", { key: { columns: ["id"], declared: true, score: 1 } })],
    joins: [joinOf("x"), joinOf("y", { status: "rejected" })],
    drift: [{ kind: "table added", subject: "w.main.b", detail: "1 column" }],
  });
  const { reader } = facts;
  expect([...reader.tables()].map(({ id }) => id)).toEqual(["w.main.a", "w.main.b"]);
  expect(reader.table("w.main.a")?.key).toEqual({ columns: ["id"], declared: true, score: 1 });
  expect(reader.table("w.main.c")).toBeUndefined();
  expect(reader.joins("w.main.a").map(({ id }) => id)).toEqual(["x"]);
  expect(reader.joins("w.main.c")).toEqual([]);
  expect(reader.drift("w")).toEqual([{ kind: "table added", subject: "w.main.b", detail: "1 column" }]);
  expect(reader.connections()).toEqual([
    {
      name: "w",
      dialect: "sqlite",
      server: "SQLite 3",
      tables: 2,
      columns: 2,
      joins: 1,
      unfinished: false,
      scannedAt: "2025-01-01T00:00:00Z",
    },
  ]);
});

test("the version differs after every change, and between two databases", () => {
  const { facts } = open();
  const before = facts.reader.version();
  store(facts, { connection, tables: [], joins: [] });
  expect(facts.reader.version()).not.toBe(before);
  expect(open().facts.reader.version()).not.toBe(before);
});

test("the connections of a database replace only their own facts", () => {
  const { facts } = open();
  store(facts, { connection, tables: [table("w.main.a")], joins: [] });
  const other = { ...connection, name: "v" };
  store(facts, { connection: other, tables: [table("v.main.a", { connection: "v" })], joins: [] });
  store(facts, { connection, tables: [], joins: [] });
  expect([...facts.reader.tables()].map(({ id }) => id)).toEqual(["v.main.a"]);
  expect([...facts.reader.tables("w")]).toEqual([]);
});

test("a reader does not wait for a writer, and sees the facts before it", () => {
  const { facts, file } = open();
  store(facts, { connection, tables: [table("w.main.a")], joins: [] });
  using writing = new DatabaseSync(file);
  writing.exec("BEGIN IMMEDIATE; DELETE FROM tables");
  expect([...facts.reader.tables()].map(({ id }) => id)).toEqual(["w.main.a"]);
  writing.exec("ROLLBACK");
});

test.skipIf(process.platform === "win32")("only the owner may read the file", () => {
  const { facts, file } = open();
  store(facts, { connection, tables: [], joins: [] });
  for (const end of ["", "-wal", "-shm"]) expect(statSync(file + end).mode & 0o077).toBe(0);
});

test("a file that is no database is refused with what to do", () => {
  const { folder } = open();
  const file = join(folder, "other.sqlite");
  writeFileSync(file, "no database ".repeat(1000));
  expect(() => openFacts({ file })).toThrow(/are damaged. Remove the file, and scan again/);
});

test("a database with other tables, a trigger, or a newer format is not used", () => {
  const { facts, file, folder } = open();
  facts.close();
  const change = (sql: string) => {
    using database = new DatabaseSync(file);
    database.exec(sql);
  };
  change("CREATE TRIGGER t AFTER INSERT ON tables BEGIN DELETE FROM joins; END");
  expect(() => openFacts({ file })).toThrow(/not Bridle's/);
  change("DROP TRIGGER t; PRAGMA user_version = 99");
  expect(() => openFacts({ file })).toThrow(/A newer Bridle/);
  const foreign = join(folder, "foreign.sqlite");
  using database = new DatabaseSync(foreign);
  database.exec("CREATE TABLE orders (id)");
  expect(() => openFacts({ file: foreign })).toThrow("Move it away, and scan again");
});

test("facts that somebody changed into another form are reported as damage", () => {
  const { facts, file } = open();
  store(facts, { connection, tables: [table("w.main.a")], joins: [] });
  using database = new DatabaseSync(file);
  database.exec(`UPDATE measured SET facts = '{"id":5}'`);
  expect(() => facts.reader.table("w.main.a")).toThrow(/are damaged/);
});

test("a deleted database is created again, without facts", () => {
  const { facts, file, folder } = open();
  store(facts, { connection, tables: [table("w.main.a")], joins: [] });
  facts.close();
  rmSync(folder, { recursive: true });
  const again = openFacts({ file });
  onTestFinished(() => again.close());
  expect(existsSync(file)).toBe(true);
  expect(again.reader.connections()).toEqual([]);
});

test("a second scan of a connection is refused while the first runs, and continues one that was interrupted", () => {
  const { facts, file } = open();
  facts.writer.begin(connection, "2025-01-01T00:00:00Z");
  const other = openFacts({ file });
  onTestFinished(() => other.close());
  expect(() => other.writer.begin(connection, "2025-01-01T00:00:00Z")).toThrow(ScanRunningError);
  expect(() => other.writer.begin(connection, "2025-01-01T00:00:00Z")).toThrow(
    `The process ${process.pid} is scanning w. Wait until it has finished, or stop it.`,
  );
  facts.writer.release("w");
  expect(facts.reader.connections().map(({ unfinished }) => unfinished)).toEqual([true]);
  expect(other.writer.begin(connection, "2025-02-02T00:00:00Z")).toBe("2025-01-01T00:00:00Z");
  other.writer.confirm(connection);
  expect(facts.reader.connections().map(({ unfinished }) => unfinished)).toEqual([false]);
});

/** Stores facts as a scan does. */
function store(
  { writer }: FactsDatabase,
  {
    connection,
    tables,
    joins,
    drift = [],
  }: {
    connection: StoredConnection;
    tables: readonly TableFacts[];
    joins: readonly JoinFacts[];
    drift?: readonly DriftEntry[];
  },
): void {
  const fingerprint = "f";
  for (const { key: _, ...facts } of tables) writer.measure(connection.name, [{ id: facts.id, fingerprint, facts }]);
  const stored = tables.map(({ id, columns, key }) => ({ id, fingerprint, columns: columns.length, key }));
  writer.finish({ connection, state: "", tables: stored, joins, drift, unfinished: false }, new Set());
}

const connection = { name: "w", dialect: "sqlite" as const, server: "SQLite 3" };

function open() {
  const folder = mkdtempSync(join(tmpdir(), "bridle-facts-"));
  const file = join(folder, "context", "facts.sqlite");
  const facts = openFacts({ file });
  onTestFinished(() => {
    facts.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { facts, file, folder };
}

function table(id: string, rest: Partial<TableFacts> = {}): TableFacts {
  const column = { name: "id", type: "integer" as const, nativeType: "INTEGER", nullable: false };
  return {
    id,
    connection: "w",
    schema: "main",
    table: id.split(".").at(-1) ?? "",
    kind: "table",
    columns: [{ ...column, profile: { rows: 2, nulls: 0, distinct: 2, min: "1", max: "2", shapes: [], frequent: [] } }],
    rows: 2,
    rowsAreExact: true,
    sample: "all rows",
    scannedAt: "2025-01-01T00:00:00Z",
    ...rest,
  };
}

function joinOf(id: string, rest: Partial<JoinFacts> = {}): JoinFacts {
  return {
    id,
    from: { table: "w.main.b", columns: ["a_id"] },
    to: { table: "w.main.a", columns: ["id"] },
    origin: "found",
    status: "accepted",
    score: 0.9,
    relationship: "many-to-one",
    evidence: { coverage: 1, violations: 0, examples: [], signals: ["same name"] },
    ...rest,
  };
}
