import { mkdirSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterAll } from "vitest";
import { duckdbConnector } from "../../src/connectors/duckdb/connector.ts";
import { testConnector } from "../connector-suite.ts";
import { runPlainly, TestFolder } from "./database.ts";

const broken = new TestFolder();
afterAll(() => broken.remove());

const emptyFolder = () => {
  mkdirSync(broken.file("nothing"), { recursive: true });
  return broken.file("nothing");
};

const brokenFile = (name: string, content: string) => () => {
  writeFileSync(broken.file(name), content);
  return Promise.resolve({ type: "duckdb" as const, file: broken.file(name) });
};

testConnector({
  connector: duckdbConnector,
  types: { integer: "BIGINT", text: "VARCHAR", decimal: "DECIMAL(12,2)", date: "DATE" },
  manyRows: "SELECT range FROM range(200000)",
  runaway: "SELECT count(*) FROM range(1000000000000) a WHERE a.range % 7 = 8",
  comments: (customers) => [
    `COMMENT ON TABLE ${customers} IS 'Who buys; "quoted"'`,
    `COMMENT ON COLUMN ${customers}.name IS 'Who buys; "quoted"'`,
  ],
  create: async () => {
    const folder = new TestFolder();
    const file = folder.file("fixture.duckdb");
    await runPlainly(file);
    return {
      config: { type: "duckdb", file },
      schema: "main",
      write: async (sql) => void (await runPlainly(file, sql)),
      close: async () => folder.remove(),
    };
  },
  values: {
    "the greatest 64-bit integer": {
      nativeType: "BIGINT",
      sql: "9223372036854775807",
      type: "integer",
      value: 9223372036854775807n,
    },
    "the least 64-bit integer": {
      nativeType: "BIGINT",
      sql: "-9223372036854775808",
      type: "integer",
      value: -9223372036854775808n,
    },
    "a decimal with 38 digits": {
      nativeType: "DECIMAL(38,8)",
      sql: "-123456789012345678901234567890.12345678",
      type: "decimal",
      value: "-123456789012345678901234567890.12345678",
    },
    "a decimal with trailing zeros": { nativeType: "DECIMAL(12,2)", sql: "12.5", type: "decimal", value: "12.50" },
    "a boolean": { nativeType: "BOOLEAN", sql: "true", type: "boolean", value: true },
    "a float": { nativeType: "DOUBLE", sql: "0.1", type: "float", value: 0.1 },
    NaN: { nativeType: "DOUBLE", sql: "'NaN'", type: "float", value: Number.NaN },
    infinity: { nativeType: "FLOAT", sql: "'-Infinity'", type: "float", value: Number.NEGATIVE_INFINITY },
    "an empty text": { nativeType: "VARCHAR", sql: "''", type: "text", value: "" },
    "a text with quotes, emoji and line breaks": {
      nativeType: "VARCHAR",
      sql: "'it''s \"🙂\"' || chr(10) || 'é\\'",
      type: "text",
      value: `it's "🙂"\né\\`,
    },
    "a date before 1970": { nativeType: "DATE", sql: "'0001-01-01'", type: "date", value: "0001-01-01" },
    "a date in 9999": { nativeType: "DATE", sql: "'9999-12-31'", type: "date", value: "9999-12-31" },
    "a time": { nativeType: "TIME", sql: "'23:59:59.000001'", type: "time", value: "23:59:59.000001" },
    "a timestamp before 1970 with microseconds": {
      nativeType: "TIMESTAMP",
      sql: "'1969-12-31 23:59:59.123456'",
      type: "timestamp",
      value: "1969-12-31T23:59:59.123456",
    },
    "a timestamp with a zone": {
      nativeType: "TIMESTAMPTZ",
      sql: "'2024-03-31 03:30:00+02'",
      type: "timestamptz",
      value: "2024-03-31T01:30:00Z",
    },
    "JSON with an integer of 20 digits": {
      nativeType: "JSON",
      sql: `'{"n": 12345678901234567890}'`,
      type: "json",
      value: '{"n": 12345678901234567890}',
    },
    "an array with NULL": { nativeType: "INTEGER[]", sql: "[1, NULL, 3]", type: "array", value: [1n, null, 3n] },
    "a UUID": {
      nativeType: "UUID",
      sql: "'6f9619ff-8b86-d011-b42d-00c04fc964ff'",
      type: "uuid",
      value: "6f9619ff-8b86-d011-b42d-00c04fc964ff",
    },
    bytes: { nativeType: "BLOB", sql: "'\\x00\\xFF'::BLOB", type: "bytes", value: new Uint8Array([0, 255]) },
    NULL: { nativeType: "HUGEINT", sql: "NULL", type: "integer", value: null },
  },
  broken: [
    {
      why: "a missing file",
      config: () => Promise.resolve({ type: "duckdb" as const, file: broken.file("missing.duckdb") }),
      code: "config",
      message: /missing\.duckdb does not exist/,
    },
    {
      why: "a folder instead of a database",
      config: () => Promise.resolve({ type: "duckdb" as const, file: broken.path }),
      code: "config",
      message: /is a folder, not a database/,
    },
    {
      why: "a text file",
      config: brokenFile("notes.duckdb", "not a database\n".repeat(500)),
      code: "config",
      message: /is not a DuckDB database/,
    },
    {
      why: "an empty file",
      config: brokenFile("empty.duckdb", ""),
      code: "config",
      message: /is not a DuckDB database/,
    },
    {
      why: "a data file instead of a database",
      config: brokenFile("a.csv", "a\n1\n"),
      code: "config",
      message: /is a data file/,
    },
    {
      why: "a SQLite file",
      config: () => {
        const database = new DatabaseSync(broken.file("lite.duckdb"));
        database.exec("CREATE TABLE a (b)");
        database.close();
        return Promise.resolve({ type: "duckdb" as const, file: broken.file("lite.duckdb") });
      },
      code: "config",
      message: /is a SQLite database.*type: sqlite/,
    },
    {
      why: "neither a database nor data files",
      config: () => Promise.resolve({ type: "duckdb" as const }),
      code: "config",
      message: /needs either file.*or files/,
    },
    {
      why: "a folder without data files",
      config: () => Promise.resolve({ type: "duckdb" as const, files: emptyFolder() }),
      code: "config",
      message: /has no Parquet, CSV or JSON files/,
    },
  ],
});
