import { describe } from "vitest";
import { PostgresCluster, skipsPostgres } from "../../../stores/postgres/tests/postgres-cluster.ts";
import { postgresConnector } from "../../src/connectors/postgres/postgres-connector.ts";
import type { PostgresSettings } from "../../src/connectors/postgres/postgres-settings.ts";
import type { ValueType, WarehouseValue } from "../../src/index.ts";
import { testConnector } from "../connector-suite.ts";
import { openPlain } from "./open-warehouse.ts";

let cluster: PostgresCluster | undefined;

const text = 'a\'b "c" \\ 🙂 日本語\r\n\tz';
const value = (nativeType: string, sql: string, type: ValueType, expected: WarehouseValue) => ({
  nativeType,
  sql,
  type,
  value: expected,
});

const settings = (changes: Partial<PostgresSettings> = {}): PostgresSettings => ({
  type: "postgres",
  url: cluster?.url ?? "",
  sslmode: "disable",
  ...changes,
});

async function createDatabase() {
  cluster = await PostgresCluster.create();
  const server = cluster;
  const writer = await openPlain(server);
  return {
    config: settings(),
    schema: "public",
    async write(sql: string) {
      await writer.query(sql);
    },
    async countRunning() {
      const running =
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid()";
      const [row] = (await writer.query(running)).rows;
      return Number(row.n);
    },
    async close() {
      await writer.end();
      await server.remove();
    },
  };
}

describe.skipIf(skipsPostgres)("on PostgreSQL 15 (needs Debian's package postgresql)", () => {
  testConnector({
    connector: postgresConnector,
    create: createDatabase,
    types: { integer: "bigint", text: "text", decimal: "numeric(38,10)", date: "date" },
    values: {
      "the greatest 64-bit integer": value("bigint", "9223372036854775807", "integer", 9223372036854775807n),
      "the least 64-bit integer": value("bigint", "-9223372036854775808", "integer", -9223372036854775808n),
      "a decimal with 38 digits": value(
        "numeric(38,10)",
        "1234567890123456789012345678.0123456789",
        "decimal",
        "1234567890123456789012345678.0123456789",
      ),
      "a decimal with trailing zeros": value("numeric(10,4)", "12.5", "decimal", "12.5000"),
      "a boolean": value("boolean", "TRUE", "boolean", true),
      "a float": value("double precision", "0.1", "float", 0.1),
      NaN: value("double precision", "'NaN'", "float", Number.NaN),
      infinity: value("real", "'-Infinity'", "float", Number.NEGATIVE_INFINITY),
      "an empty text": value("text", "''", "text", ""),
      "a text with quotes, emoji and line breaks": value(
        "varchar(100)",
        postgresConnector.dialect.quoteText(text),
        "text",
        text,
      ),
      "a date before 1970": value("date", "'1899-12-31'", "date", "1899-12-31"),
      "a date in 9999": value("date", "'9999-12-31'", "date", "9999-12-31"),
      "a time": value("time", "'23:59:59.999999'", "time", "23:59:59.999999"),
      "a timestamp before 1970 with microseconds": value(
        "timestamp",
        "'1899-12-31 23:59:59.123456'",
        "timestamp",
        "1899-12-31T23:59:59.123456",
      ),
      "a timestamp with a zone": value(
        "timestamptz",
        "'2024-03-31 03:30:00+02'",
        "timestamptz",
        "2024-03-31T01:30:00Z",
      ),
      "JSON with an integer of 20 digits": value(
        "json",
        `'{"a": 12345678901234567890}'`,
        "json",
        '{"a": 12345678901234567890}',
      ),
      "an array with NULL": value("bigint[]", "'{1,NULL,3}'", "array", [1n, null, 3n]),
      "a UUID": value("uuid", "'0190d3f4-0000-7000-8000-000000000000'", "uuid", "0190d3f4-0000-7000-8000-000000000000"),
      bytes: value("bytea", "'\\x00ff10'", "bytes", new Uint8Array([0, 255, 16])),
      NULL: value("text", "NULL", "text", null),
    },
    manyRows: "SELECT n FROM generate_series(1, 200000) n",
    runaway: "WITH RECURSIVE c (n) AS (SELECT 1::bigint UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c a, c b",
    comments: (customers) => [
      `COMMENT ON TABLE ${customers} IS 'Who buys; "quoted"'`,
      `COMMENT ON COLUMN ${customers}.name IS 'Who buys; "quoted"'`,
    ],
    broken: [
      {
        why: "a host that cannot be reached",
        code: "network",
        message: /cannot be reached/,
        config: async () => settings({ url: "postgresql://bridle@127.0.0.1:1/postgres" }),
      },
      {
        why: "a database that is missing",
        code: "config",
        message: /has no such database/,
        config: async () => settings({ database: "nope" }),
      },
      {
        why: "TLS that the server does not offer",
        code: "config",
        message: /does not offer TLS/,
        config: async () => settings({ sslmode: "require" }),
      },
    ],
  });
});
