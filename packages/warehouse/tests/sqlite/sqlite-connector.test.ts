import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { sqliteConnector } from "../../src/connectors/sqlite/sqlite-connector.ts";
import type { ValueType, WarehouseValue } from "../../src/index.ts";
import { testConnector } from "../connector-suite.ts";
import { SqliteDatabase } from "./sqlite-database.ts";

const broken = new SqliteDatabase("locked.db");
afterAll(() => broken.close());

const fileOf = (name: string, content?: string | Uint8Array) => async () => {
  const file = join(broken.folder, name);
  if (content !== undefined) writeFileSync(file, content);
  return { type: "sqlite" as const, file };
};

async function lockedFile() {
  broken.writer.exec("CREATE TABLE IF NOT EXISTS t (a); BEGIN EXCLUSIVE");
  return { type: "sqlite" as const, file: broken.file };
}

const text = 'a\'b "c" \\ 🙂 日本語\r\n\tz\u0000y';

testConnector({
  connector: sqliteConnector,
  create: async () => {
    const database = new SqliteDatabase();
    return {
      config: { type: "sqlite", file: database.file },
      schema: "main",
      write: async (sql) => database.writer.exec(sql),
      close: async () => database.close(),
    };
  },
  types: { integer: "INTEGER", text: "TEXT", decimal: "DECIMAL(38,10)", date: "DATE" },
  values: {
    "the greatest 64-bit integer": value("INTEGER", "9223372036854775807", "integer", 9223372036854775807n),
    "the least 64-bit integer": value("BIGINT", "-9223372036854775808", "integer", -9223372036854775808n),
    "a decimal with 38 digits":
      "SQLite stores decimals as floats of 64 bits, or as text if the column has no numeric affinity.",
    "a decimal with trailing zeros": "SQLite stores decimals as floats of 64 bits.",
    "a boolean": value("BOOLEAN", "TRUE", "boolean", 1n),
    "a float": value("REAL", "0.1", "float", 0.1),
    NaN: "SQLite stores NaN as NULL.",
    infinity: value("DOUBLE", "-9e999", "float", Number.NEGATIVE_INFINITY),
    "an empty text": value("TEXT", "''", "text", ""),
    "a text with quotes, emoji and line breaks": value(
      "VARCHAR(100)",
      sqliteConnector.dialect.quoteText(text),
      "text",
      text,
    ),
    "a date before 1970": value("DATE", "'1899-12-31'", "date", "1899-12-31"),
    "a date in 9999": value("DATE", "'9999-12-31'", "date", "9999-12-31"),
    "a time": value("TIME", "'23:59:59.999999'", "time", "23:59:59.999999"),
    "a timestamp before 1970 with microseconds": value(
      "TIMESTAMP",
      "'1899-12-31T23:59:59.123456'",
      "timestamp",
      "1899-12-31T23:59:59.123456",
    ),
    "a timestamp with a zone": value("TIMESTAMPTZ", "'2024-03-31T01:30:00Z'", "timestamptz", "2024-03-31T01:30:00Z"),
    "JSON with an integer of 20 digits": value(
      "JSON",
      `'{"a": 12345678901234567890}'`,
      "json",
      '{"a": 12345678901234567890}',
    ),
    "an array with NULL": "SQLite has no arrays.",
    "a UUID": value("UUID", "'0190d3f4-0000-7000-8000-000000000000'", "uuid", "0190d3f4-0000-7000-8000-000000000000"),
    bytes: value("BLOB", "x'00ff10'", "bytes", new Uint8Array([0, 255, 16])),
    NULL: value("TEXT", "NULL", "text", null),
  },
  referencesWithSchema: false,
  manyRows: "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 200000) SELECT n FROM c",
  runaway: "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c",
  broken: [
    { why: "a missing file", config: fileOf("none.db"), code: "config", message: /none\.db.*no such file/ },
    { why: "a folder instead of a file", config: fileOf("."), code: "config", message: /it is a folder/ },
    {
      why: "a file that is no database",
      config: fileOf("text.db", "x".repeat(5000)),
      code: "config",
      message: /is not a SQLite database/,
    },
    { why: "a locked database", config: lockedFile, code: "timeout", message: /locked by another program/ },
  ],
  skip: {
    "reads comments of tables and columns": "SQLite has no comments in its catalog.",
  },
});

function value(nativeType: string, sql: string, type: ValueType, expected: WarehouseValue) {
  return { nativeType, sql, type, value: expected };
}
