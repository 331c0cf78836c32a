import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PostgresCluster, skipsPostgres } from "../../../stores/postgres/tests/postgres-cluster.ts";
import { postgresDialect } from "../../src/connectors/postgres/dialect/postgres-dialect.ts";
import type { EngineConnection } from "../../src/port/connector.ts";
import type { WarehouseValue } from "../../src/port/values.ts";
import { connectTo, openPlain, readAll } from "./open-warehouse.ts";
import { shop } from "./shop.ts";

let cluster: PostgresCluster;
let connection: EngineConnection;
let plain: pg.Client;

const values: readonly (readonly [sql: string, type: string, nativeType: string, value: WarehouseValue])[] = [
  ["true", "boolean", "boolean", true],
  ["32767::int2", "integer", "smallint", 32767n],
  ["9223372036854775807", "integer", "bigint", 9223372036854775807n],
  ["1.50::numeric(10,2)", "decimal", "numeric(10,2)", "1.50"],
  ["1e-20::numeric", "decimal", "numeric", "0.00000000000000000001"],
  ["123456789012345678901234567890.123456789", "decimal", "numeric", "123456789012345678901234567890.123456789"],
  ["'NaN'::numeric", "decimal", "numeric", "NaN"],
  ["12::numeric(3,-1)", "decimal", "numeric(3,-1)", "10"],
  ["0.1::float4", "float", "real", 0.1],
  ["0.1::float8 + 0.2", "float", "double precision", 0.30000000000000004],
  ["'-Infinity'::float8", "float", "double precision", Number.NEGATIVE_INFINITY],
  ["'NaN'::float8", "float", "double precision", Number.NaN],
  ["'é'::varchar(5)", "text", "character varying(5)", "é"],
  ["'x'::char(3)", "text", "character(3)", "x  "],
  ["'good'::shop.mood", "text", "shop.mood", "good"],
  ["'a@b'::shop.email", "text", "text", "a@b"],
  ["date '2024-02-29'", "date", "date", "2024-02-29"],
  ["date '0044-03-15 BC'", "date", "date", "-0043-03-15"],
  ["date '0001-01-01 BC'", "date", "date", "0000-01-01"],
  ["date '12000-01-01'", "date", "date", "+012000-01-01"],
  ["date 'infinity'", "date", "date", "infinity"],
  ["time '23:59:59.123456'", "time", "time without time zone", "23:59:59.123456"],
  ["timestamp '2024-01-31 12:00:00.1'", "timestamp", "timestamp without time zone", "2024-01-31T12:00:00.1"],
  ["timestamp(0) '2024-01-31 12:00:00.1'", "timestamp", "timestamp(0) without time zone", "2024-01-31T12:00:00"],
  ["timestamp '0044-03-15 12:00:00 BC'", "timestamp", "timestamp without time zone", "-0043-03-15T12:00:00"],
  ["timestamptz '2024-01-31 12:00:00+05:30'", "timestamptz", "timestamp with time zone", "2024-01-31T06:30:00Z"],
  ["timestamptz '-infinity'", "timestamptz", "timestamp with time zone", "-infinity"],
  ["interval '1 year 2 months -3 days 04:05:06.7'", "interval", "interval", "P1Y2M-3DT4H5M6.7S"],
  ["'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", "uuid", "uuid", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
  [`'{"a": 12345678901234567890, "b": 1.0}'::json`, "json", "json", '{"a": 12345678901234567890, "b": 1.0}'],
  [`'{"b": 1.0}'::jsonb`, "json", "jsonb", '{"b": 1.0}'],
  ["'\\x00ff'::bytea", "bytes", "bytea", new Uint8Array([0, 255])],
  ["'{}'::text[]", "array", "text[]", []],
  [`'{a,NULL,"NULL","x,\\"y\\\\",{}}'::text[]`, "array", "text[]", null],
  [
    "ARRAY[[1,2],[3,NULL]]",
    "array",
    "integer[]",
    [
      [1n, 2n],
      [3n, null],
    ],
  ],
  ["'[0:1]={1,2}'::int8[]", "array", "bigint[]", [1n, 2n]],
  ["ARRAY[1.50::numeric]", "array", "numeric[]", ["1.50"]],
  ["ARRAY[timestamptz '2024-01-31 00:00:00Z']", "array", "timestamp with time zone[]", ["2024-01-31T00:00:00Z"]],
  ["ARRAY['good'::shop.mood]", "array", "shop.mood[]", ["good"]],
  ["ARRAY['a@b'::shop.email]", "array", "shop.email[]", ["a@b"]],
  ["ARRAY[box '((1,2),(3,4))', box '((5,6),(7,8))']", "array", "box[]", ["(3,4),(1,2)", "(7,8),(5,6)"]],
  ["ARRAY[ROW('a b', NULL)::shop.place]", "array", "shop.place[]", ['("a b",)']],
  ["int4range(1, 5)", "other", "int4range", "[1,5)"],
  ["ROW(1, 'a')", "other", "record", "(1,a)"],
  ["B'101'::bit(3)", "other", "bit(3)", "101"],
  ["12.5::money", "other", "money", "$12.50"],
  ["'10.0.0.1'::inet", "other", "inet", "10.0.0.1"],
  ["'1 2'::int2vector", "other", "int2vector", "1 2"],
  ["NULL::int", "integer", "integer", null],
];

describe.skipIf(skipsPostgres)("values and tables of PostgreSQL (needs Debian's package postgresql)", () => {
  beforeAll(async () => {
    cluster = await PostgresCluster.create();
    plain = await openPlain(cluster);
    await plain.query(shop);
    await plain.query(
      "ALTER ROLE bridle SET TimeZone = 'Asia/Kolkata'; ALTER ROLE bridle SET DateStyle = 'SQL, DMY'; ALTER ROLE bridle SET IntervalStyle = 'postgres_verbose'; ALTER ROLE bridle SET bytea_output = 'escape'; ALTER ROLE bridle SET extra_float_digits = -5",
    );
    connection = await connectTo(cluster);
  });
  afterAll(async () => {
    await connection?.close();
    await plain?.end();
    await cluster?.remove();
  });

  test.each(values.filter(([sql]) => !sql.includes('"NULL"')))(
    "%s arrives as %s (%s), whatever the settings of the account",
    async (sql, type, nativeType, value) => {
      const stream = connection.stream(`SELECT ${sql} AS x`, { maxRows: 1, maxBytes: 1000, timeoutMs: 60_000 });
      expect(await stream.columns()).toEqual([{ name: "x", type, nativeType }]);
      const rows: unknown[] = [];
      for await (const batch of stream) rows.push(...batch);
      expect(rows).toEqual([[value]]);
    },
  );

  test("an array keeps quoted, empty and missing texts apart", async () => {
    const [row] = await readAll(connection, `SELECT ARRAY['a', NULL, 'NULL', '', ' ', 'x,"y\\', '{}']`);
    expect(row).toEqual([["a", null, "NULL", "", " ", 'x,"y\\', "{}"]]);
  });

  test("two columns may have one name, and a statement may have none", async () => {
    expect(await readAll(connection, "SELECT 1 AS a, 2 AS a")).toEqual([[1n, 2n]]);
    const stream = connection.stream("SELECT FROM shop.orders", { maxRows: 9, maxBytes: 1000, timeoutMs: 60_000 });
    expect(await stream.columns()).toEqual([]);
    const rows: unknown[] = [];
    for await (const batch of stream) rows.push(...batch);
    expect(rows).toEqual([[], [], [], []]);
  });

  test("a digest is equal for equal values, different for different keys, and NULL for NULL", async () => {
    const digest = (column: string, key: string) => postgresDialect.digest(column, key);
    const sql = `SELECT ${digest('"a"', "k'\\")}, ${digest('"b"', "k'\\")}, ${digest('"a"', "other")}, ${digest('"c"', "k")}`;
    const [row = []] = await readAll(connection, `${sql} FROM (SELECT 7 AS a, '7'::text AS b, NULL::text AS c) x`);
    expect(row[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(row[0]).toBe(row[1]);
    expect(row[0]).not.toBe(row[2]);
    expect(row[3]).toBeNull();
  });

  test.each(["plain", 'quo"te', "quo'te", "back\\slash", "--", "/*", "x\ny", "é", "$1", "; DROP TABLE shop.orders"])(
    "the text and the identifier %j stay what they are",
    async (text) => {
      const { quoteText, quoteIdentifier } = postgresDialect;
      const stream = connection.stream(`SELECT ${quoteText(text)} AS ${quoteIdentifier(text)}`, {
        maxRows: 1,
        maxBytes: 1000,
        timeoutMs: 60_000,
      });
      expect((await stream.columns())[0]?.name).toBe(text);
      const rows: unknown[] = [];
      for await (const batch of stream) rows.push(...batch);
      expect(rows).toEqual([[text]]);
    },
  );

  test("the same seed draws the same sample of a table with partitions, and a view is read from its start", async () => {
    const sample = { rows: 50, of: 200, seed: 7 };
    const table = { schema: "shop", table: "measures" };
    const { sql, method } = postgresDialect.selectSample(table, ["id"], sample);
    expect(method).toBe("bernoulli 25 %, seed 7");
    const rows = await readAll(connection, sql);
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.length).toBeLessThan(150);
    expect(await readAll(connection, sql)).toEqual(rows);
    expect(postgresDialect.selectSample(table, ["id"])).toMatchObject({ method: "all rows" });
    const large = postgresDialect.selectSample(table, ["id"], { rows: 1000, of: 5_000_000_000, seed: 1 });
    expect(large.method).toBe("system 0.00002 %, seed 1");
    await readAll(connection, large.sql);
    const view = postgresDialect.selectSample({ schema: "shop", table: "eu", kind: "view" }, ["id"], {
      rows: 1,
      of: 9,
      seed: 1,
    });
    expect(view.method).toBe("first 1 rows");
    expect(await readAll(connection, view.sql)).toHaveLength(1);
  });

  test.each([
    ["region = 'EU'", true],
    ["region IN ('EU', 'US') AND id > 3 OR name LIKE 'A%'", true],
    ["lower(region) = 'eu' AND id::text <> '1'", true],
    ["(id BETWEEN 1 AND 2)", true],
    ["", false],
    ["1; DROP TABLE shop.orders", false],
    ["true) OR (true", false],
    ["id IN (SELECT id FROM hidden.secrets)", false],
    ["EXISTS (SELECT 1)", false],
    ["email = 'x'", false],
    ["customers.id = 1", false],
    ["id = 1 -- x", false],
    ["id = 1 /* x */", false],
    ["id AS x", false],
    ["id, name", false],
    ["*", false],
    ["id FROM hidden.secrets", false],
    ["pg_sleep(1) IS NULL", false],
    ["id = $1", false],
    ["id = 1 ORDER BY 1", false],
    ["DISTINCT id", false],
    ["id = 1 UNION SELECT 1", false],
    ["id = 1;", false],
  ])("the condition %j of a row filter is accepted: %s", async (condition, isAccepted) => {
    const checking = postgresDialect.checkCondition(condition, ["id", "name", "region"]);
    if (isAccepted) await checking;
    else await expect(checking).rejects.toMatchObject({ name: "StatementRefusedError" });
  });

  test("a statement that is nested too deeply is refused, and the next one is checked", async () => {
    const deep = `SELECT ${"(".repeat(100_000)}1${")".repeat(100_000)}`;
    const context = { resolve: () => ({ schema: "shop", table: "orders" }) };
    await expect(postgresDialect.check(deep, context)).rejects.toMatchObject({ reason: "syntax" });
    const sum = `SELECT ${"1+".repeat(50_000)}1`;
    await postgresDialect.check(sum, context).catch((error: Error) => expect(error.name).toBe("StatementRefusedError"));
    expect(await postgresDialect.check("SELECT 1", context)).toBe("SELECT 1");
  });

  test("a condition with an unknown column lists the nearest ones", async () => {
    await expect(postgresDialect.checkCondition("regoin = 'EU'", ["id", "region"])).rejects.toMatchObject({
      reason: "unknown_name",
      nearest: ["region"],
      message: "The condition names regoin, which is not a column of its table.",
    });
  });
});
