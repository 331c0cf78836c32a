import { afterAll, beforeAll, describe } from "vitest";
import { mysqlConnector } from "../../src/connectors/mysql/mysql-connector.ts";
import type { MySqlConfig } from "../../src/connectors/mysql/mysql-settings.ts";
import type { ValueType, WarehouseValue } from "../../src/index.ts";
import { testConnector } from "../connector-suite.ts";
import { MariaDbServer, skipsMariaDb } from "./mariadb-server.ts";

let server: MariaDbServer;

const text = 'a\'b "c" \\ 🙂 日本語\r\n\tz';
const value = (nativeType: string, sql: string, type: ValueType, expected: WarehouseValue) => ({
  nativeType,
  sql,
  type,
  value: expected,
});

const settings = (changes: Partial<MySqlConfig> = {}): MySqlConfig => ({
  type: "mysql",
  host: "127.0.0.1",
  port: server.port,
  user: "reader",
  password: "right",
  database: "suite",
  ...changes,
});

async function createDatabase() {
  await server.send(
    "CREATE DATABASE suite CHARACTER SET utf8mb4",
    "CREATE DATABASE hidden",
    "CREATE USER reader IDENTIFIED BY 'right'",
    "GRANT SELECT, SHOW VIEW ON suite.* TO reader",
  );
  return {
    config: settings(),
    schema: "suite",
    write: async (sql: string) => void (await server.send("USE suite", "SET time_zone = '+00:00'", sql)),
    async countRunning() {
      const running = "SELECT ID FROM information_schema.PROCESSLIST WHERE USER = 'reader' AND COMMAND <> 'Sleep'";
      return (await server.send(running)).length;
    },
    close: async () => {},
  };
}

describe.skipIf(skipsMariaDb)("on MariaDB (needs Debian's package mariadb-server)", () => {
  beforeAll(async () => {
    server = await MariaDbServer.create({ tcp: true });
  });
  afterAll(() => server?.remove());

  testConnector({
    connector: mysqlConnector,
    create: createDatabase,
    types: { integer: "BIGINT", text: "VARCHAR(200)", decimal: "DECIMAL(38,10)", date: "DATE" },
    values: {
      "the greatest 64-bit integer": value("BIGINT", "9223372036854775807", "integer", 9223372036854775807n),
      "the least 64-bit integer": value("BIGINT", "-9223372036854775808", "integer", -9223372036854775808n),
      "a decimal with 38 digits": value(
        "DECIMAL(38,10)",
        "1234567890123456789012345678.0123456789",
        "decimal",
        "1234567890123456789012345678.0123456789",
      ),
      "a decimal with trailing zeros": value("DECIMAL(10,4)", "12.5", "decimal", "12.5000"),
      "a boolean": value("BIT(1)", "b'1'", "boolean", true),
      "a float": value("DOUBLE", "0.1", "float", 0.1),
      NaN: "MariaDB has no NaN.",
      infinity: "MariaDB has no infinity.",
      "an empty text": value("VARCHAR(10)", "''", "text", ""),
      "a text with quotes, emoji and line breaks": value(
        "VARCHAR(100)",
        mysqlConnector.dialect.quoteText(text),
        "text",
        text,
      ),
      "a date before 1970": value("DATE", "'1899-12-31'", "date", "1899-12-31"),
      "a date in 9999": value("DATE", "'9999-12-31'", "date", "9999-12-31"),
      "a time": value("TIME(6)", "'23:59:59.999999'", "time", "23:59:59.999999"),
      "a timestamp before 1970 with microseconds": value(
        "DATETIME(6)",
        "'1899-12-31 23:59:59.123456'",
        "timestamp",
        "1899-12-31T23:59:59.123456",
      ),
      "a timestamp with a zone": value(
        "TIMESTAMP NULL",
        "'2024-03-31 01:30:00'",
        "timestamptz",
        "2024-03-31T01:30:00Z",
      ),
      "JSON with an integer of 20 digits": value(
        "JSON",
        `'{"a": 12345678901234567890}'`,
        "json",
        '{"a": 12345678901234567890}',
      ),
      "an array with NULL": "MariaDB has no arrays.",
      "a UUID": value("UUID", "'0190d3f4-0000-7000-8000-000000000000'", "uuid", "0190d3f4-0000-7000-8000-000000000000"),
      bytes: value("VARBINARY(10)", "x'00ff10'", "bytes", Buffer.from([0, 255, 16])),
      NULL: value("VARCHAR(10)", "NULL", "text", null),
    },
    hasBasicNames: true,
    hasLateMarks: true,
    manyRows: "SELECT seq FROM seq_1_to_200000",
    runaway: "SELECT COUNT(*) FROM suite.numbers a, suite.numbers b, suite.numbers c, suite.numbers d",
    comments: (customers) => [
      `ALTER TABLE ${customers} COMMENT 'Who buys; "quoted"'`,
      `ALTER TABLE ${customers} MODIFY name VARCHAR(200) NOT NULL COMMENT 'Who buys; "quoted"'`,
    ],
    broken: [
      {
        why: "a wrong password",
        code: "authentication",
        message: /refuses reader with this password\. Check/,
        config: async () => settings({ password: "wrong-one" }),
      },
      {
        why: "a host that cannot be reached",
        code: "network",
        message: /:1\/suite cannot be reached \(.*\)\. Check/,
        config: async () => settings({ port: 1 }),
      },
      {
        why: "a database that is not granted",
        code: "authentication",
        message: /does not let reader use/,
        config: async () => settings({ database: "hidden" }),
      },
      {
        why: "a database that is missing",
        code: "config",
        message: /The database of .*missing does not exist/,
        config: async () => ({ type: "mysql", socket: server.socket, user: "root", database: "missing" }) as const,
      },
      {
        why: "a missing file of the authority",
        code: "config",
        message: /missing\.pem of "ca" cannot be read/,
        config: async () => settings({ tls: "verified", ca: "missing.pem" }),
      },
    ],
  });
});
