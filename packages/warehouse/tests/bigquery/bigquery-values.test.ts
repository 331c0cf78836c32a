import { expect, test } from "vitest";
import { readAll } from "../support/reading.ts";
import type { ApiField } from "./bigquery-server.ts";
import { openBigQuery } from "./open-bigquery.ts";

const person: readonly ApiField[] = [
  { name: "id", type: "INTEGER" },
  { name: "total", type: "NUMERIC" },
  { name: "seen", type: "TIMESTAMP" },
  { name: "tags", type: "STRING", mode: "REPEATED" },
  { name: "doc", type: "JSON" },
  { name: "nothing", type: "FLOAT" },
];
const ada = {
  f: ["9007199254740993", "1.10", "1", [{ v: 'a"b' }, { v: "Ω" }], '{"n": 1.10}', null].map((v) => ({ v })),
};
const adaJson = String.raw`{"id":9007199254740993,"total":1.10,"seen":"1970-01-01T00:00:00.000001Z","tags":["a\"b","Ω"],"doc":{"n": 1.10},"nothing":null}`;

/** For each case: a field, its value in the API, its type, and the value that a caller receives. */
const cells: readonly (readonly [Omit<ApiField, "name">, unknown, string, unknown])[] = [
  [{ type: "INTEGER" }, "-9223372036854775808", "INT64", -9223372036854775808n],
  [{ type: "INT64" }, "9007199254740993", "INT64", 9007199254740993n],
  [
    { type: "NUMERIC", precision: "12", scale: "2" },
    "12345678901234567890123456789.123456789",
    "NUMERIC(12, 2)",
    "12345678901234567890123456789.123456789",
  ],
  [{ type: "BIGNUMERIC" }, `0.${"1".repeat(38)}`, "BIGNUMERIC", `0.${"1".repeat(38)}`],
  [{ type: "FLOAT" }, "0.1", "FLOAT64", 0.1],
  [{ type: "FLOAT" }, "1.7976931348623157E308", "FLOAT64", Number.MAX_VALUE],
  [{ type: "FLOAT" }, "NaN", "FLOAT64", Number.NaN],
  [{ type: "FLOAT64" }, "-Infinity", "FLOAT64", Number.NEGATIVE_INFINITY],
  [{ type: "BOOLEAN" }, "true", "BOOL", true],
  [{ type: "BOOL" }, "false", "BOOL", false],
  [{ type: "STRING", maxLength: "20" }, 'κόσμος 😀 "[\n', "STRING(20)", 'κόσμος 😀 "[\n'],
  [{ type: "STRING" }, "", "STRING", ""],
  [{ type: "BYTES" }, "AP8K", "BYTES", new Uint8Array([0, 255, 10])],
  [{ type: "DATE" }, "0001-01-01", "DATE", "0001-01-01"],
  [{ type: "TIME" }, "23:59:59.123450", "TIME", "23:59:59.12345"],
  [{ type: "DATETIME" }, "2024-01-31T12:00:00", "DATETIME", "2024-01-31T12:00:00"],
  [{ type: "TIMESTAMP" }, "1706702400123456", "TIMESTAMP", "2024-01-31T12:00:00.123456Z"],
  [{ type: "TIMESTAMP" }, "-1", "TIMESTAMP", "1969-12-31T23:59:59.999999Z"],
  [{ type: "TIMESTAMP" }, "-62135596800000000", "TIMESTAMP", "0001-01-01T00:00:00Z"],
  [{ type: "TIMESTAMP" }, "253402300799999999", "TIMESTAMP", "9999-12-31T23:59:59.999999Z"],
  [{ type: "INTERVAL" }, "1-2 3 4:5:6.5", "INTERVAL", "1-2 3 4:5:6.5"],
  [{ type: "JSON" }, '{"a": 12345678901234567890}', "JSON", '{"a": 12345678901234567890}'],
  [{ type: "GEOGRAPHY" }, "POINT(1 2)", "GEOGRAPHY", "POINT(1 2)"],
  [
    { type: "RANGE", rangeElementType: { type: "DATE" } },
    "[2024-01-01, UNBOUNDED)",
    "RANGE<DATE>",
    "[2024-01-01, UNBOUNDED)",
  ],
  [
    { type: "RANGE", rangeElementType: { type: "TIMESTAMP" } },
    "[0, 1706702400123456)",
    "RANGE<TIMESTAMP>",
    "[1970-01-01T00:00:00Z, 2024-01-31T12:00:00.123456Z)",
  ],
  [
    { type: "INTEGER", mode: "REPEATED" },
    [{ v: "1" }, { v: "9007199254740993" }],
    "ARRAY<INT64>",
    [1n, 9007199254740993n],
  ],
  [{ type: "STRING", mode: "REPEATED" }, [], "ARRAY<STRING>", []],
  [
    { type: "RECORD", fields: person },
    ada,
    "STRUCT<id INT64, total NUMERIC, seen TIMESTAMP, tags ARRAY<STRING>, doc JSON, nothing FLOAT64>",
    adaJson,
  ],
  [
    { type: "STRUCT", mode: "REPEATED", fields: person.slice(0, 1) },
    [{ v: { f: [{ v: "1" }] } }, { v: { f: [{ v: null }] } }],
    "ARRAY<STRUCT<id INT64>>",
    ['{"id":1}', '{"id":null}'],
  ],
  [
    {
      type: "RECORD",
      fields: [
        { name: "at", type: "RANGE", rangeElementType: { type: "TIMESTAMP" } },
        { name: "raw", type: "BYTES" },
        { name: "on", type: "BOOLEAN" },
        { name: "f", type: "FLOAT" },
      ],
    },
    { f: [{ v: "[UNBOUNDED, 1)" }, { v: "AP8K" }, { v: "true" }, { v: "Infinity" }] },
    "STRUCT<at RANGE<TIMESTAMP>, raw BYTES, on BOOL, f FLOAT64>",
    '{"at":"[UNBOUNDED, 1970-01-01T00:00:00.000001Z)","raw":"AP8K","on":true,"f":"Infinity"}',
  ],
  [{ type: "STRING" }, null, "STRING", null],
  [
    { type: "RECORD", fields: person },
    null,
    "STRUCT<id INT64, total NUMERIC, seen TIMESTAMP, tags ARRAY<STRING>, doc JSON, nothing FLOAT64>",
    null,
  ],
];

test("values of BigQuery arrive in their forms, without loss", async () => {
  const { connection } = await openBigQuery(() => ({
    fields: cells.map(([field], index) => ({ name: `c${index}`, ...field })),
    rows: [cells.map(([, written]) => written)],
  }));
  const { rows, columns } = await readAll(connection, "SELECT * FROM kinds");
  expect(rows[0]).toEqual(cells.map(([, , , value]) => value));
  expect(columns.map(({ nativeType }) => nativeType)).toEqual(cells.map(([, , type]) => type));
  expect(columns.map(({ type }) => type).join(" ")).toBe(
    "integer integer decimal decimal float float float float boolean boolean text text bytes date time timestamp timestamptz timestamptz timestamptz timestamptz interval json other other other array array json array json text json",
  );
});

test("an empty result of BigQuery has columns", async () => {
  const { connection } = await openBigQuery(() => ({ fields: [{ name: "a", type: "STRING" }] }));
  expect(await readAll(connection, "SELECT a FROM orders")).toMatchObject({ rows: [], columns: [{ name: "a" }] });
});

test("a value of BigQuery in an unknown form is an error, and none of another value", async () => {
  const { connection } = await openBigQuery(() => ({
    fields: [{ name: "a", type: "TIMESTAMP" }],
    rows: [["2024-01-31 12:00:00 UTC"]],
  }));
  await expect(readAll(connection, "SELECT a FROM orders")).rejects.toMatchObject({
    code: "invalid_request",
    message: "BigQuery sent a timestamp that cannot be read.",
  });
});
