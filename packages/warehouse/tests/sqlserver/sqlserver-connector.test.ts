import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { sqlserverConnector } from "../../src/connectors/sqlserver/sqlserver-connector.ts";
import type { EngineConnection } from "../../src/port/connector.ts";
import { defaultLimits } from "../../src/port/limits.ts";
import { connectContext, errorOf, readAll } from "../support/reading.ts";
import { type ScriptedAnswer, ScriptedServer } from "./scripted-server.ts";
import {
  bytes,
  date,
  datetime2,
  datetimeoffset,
  decimal,
  flag,
  float,
  guid,
  integer,
  text,
  time,
} from "./tds-tokens.ts";

const account = {
  type: "sqlserver",
  host: "127.0.0.1",
  user: "reader",
  password: "right",
  database: "shop",
  tls: "off",
} as const;

/** Answers the connector's own statements and those of the test. */
async function open(answer: (sql: string) => ScriptedAnswer, { version = "16.0.1000.6", snapshot = 1 } = {}) {
  const server = await ScriptedServer.start((sql) => {
    if (/^(set |IF @@)/i.test(sql)) return {};
    if (!sql.includes("ProductVersion")) return answer(sql);
    return { columns: [text("v"), text("s"), text("d"), integer("i")], rows: [[version, "dbo", "shop", snapshot]] };
  });
  onTestFinished(() => server.close());
  const connect = () => sqlserverConnector.connect({ ...account, port: server.port }, connectContext);
  return { server, connect };
}

async function opened(answer: (sql: string) => ScriptedAnswer, options?: { version?: string; snapshot?: number }) {
  const { server, connect } = await open(answer, options);
  const connection: EngineConnection = await connect();
  onTestFinished(() => connection.close());
  server.received.length = 0;
  return { server, connection };
}

const numbers = { columns: [integer("n")], rows: Array.from({ length: 1_200 }, (_, n) => [n]) };

test("each statement runs in a transaction that is rolled back, and the session is reset", async () => {
  const { server, connection } = await opened((sql) => (sql.includes("orders") ? numbers : {}));
  const { rows } = await readAll(connection, "SELECT n FROM orders", { maxRows: 5_000 });
  expect(rows.length).toBe(1_200);
  await connection.close();
  const [begin, statement, rollback, reset] = server.received;
  expect(begin).toContain("SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRANSACTION");
  expect(statement).toMatch(/SELECT n FROM orders$/);
  expect(rollback).toBe("IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION");
  expect(reset).toMatch(/set quoted_identifier on/i);
  expect(connection.statements).toBe(1);
});

test("a database without snapshots is read as committed", async () => {
  const { server, connection } = await opened(() => numbers, { snapshot: 0 });
  await readAll(connection, "SELECT n FROM orders");
  expect(server.received[0]).toContain("ISOLATION LEVEL READ COMMITTED");
});

test("values of every type that is read exactly arrive in their forms", async () => {
  const columns = [
    integer("i"),
    decimal("d"),
    float("f"),
    flag("b"),
    text("t"),
    bytes("x"),
    guid("g"),
    date("day"),
    time("clock"),
    datetime2("local"),
    datetimeoffset("moment"),
  ];
  const noon = 12n * 3_600n * 10_000_000n + 1_234_567n;
  const day = 738_915n; // 2024-01-31
  const id = Buffer.from("33221100554477668899aabbccddeeff", "hex");
  const row = [
    -9223372036854775808n,
    "-1250",
    0.1,
    true,
    "κόσμος 😀",
    Buffer.from([0, 255]),
    id,
    [day],
    [noon],
    [noon, day],
    [noon, day, 60n],
  ];
  const { connection } = await opened((sql) =>
    sql.includes("kinds")
      ? { columns, rows: [row, row.map((_, index) => (index === 1 ? "0" : index === 2 ? 0 : null))] }
      : {},
  );
  const result = await readAll(connection, "SELECT * FROM kinds");
  expect(result.columns.map(({ type }) => type).join(" ")).toBe(
    "integer decimal float boolean text bytes uuid date time timestamp timestamptz",
  );
  expect(result.rows[0]).toEqual([
    -9223372036854775808n,
    "-12.50",
    0.1,
    true,
    "κόσμος 😀",
    Buffer.from([0, 255]),
    "00112233-4455-6677-8899-aabbccddeeff",
    "2024-01-31",
    "12:00:00.1234567",
    "2024-01-31T12:00:00.1234567",
    "2024-01-31T12:00:00.1234567Z",
  ]);
  expect(result.rows[1]).toEqual([null, "0.00", 0, null, null, null, null, null, null, null, null]);
});

test("a decimal that the driver cannot read exactly is an error that says what to do", async () => {
  const { connection } = await opened((sql) =>
    sql.includes("large") ? { columns: [decimal("sum")], rows: [["12345678901234567890"]] } : {},
  );
  expect(await errorOf(readAll(connection, "SELECT sum FROM large"))).toMatchObject({
    code: "invalid_request",
    message:
      'The column "sum" contains a decimal of more than 15 digits, which the driver cannot read exactly. Select CONVERT(varchar(50), …) of it.',
  });
});

test("rows are limited by cancelling on the server, and the session is used again", async () => {
  const { server, connection } = await opened((sql) =>
    sql.includes("endless") ? { ...numbers, until: "cancelled" } : numbers,
  );
  const { rows, truncated } = await readAll(connection, "SELECT n FROM endless", { maxRows: 3_000 });
  expect([rows.length, truncated]).toEqual([3_000, "rows"]);
  expect(server.received).toContain("attention");
  expect((await readAll(connection, "SELECT n FROM orders", { maxRows: 5_000 })).rows.length).toBe(1_200);
});

test("an aborted signal cancels the statement on the server", async () => {
  const { server, connection } = await opened((sql) => (sql.includes("silent") ? { until: "cancelled" } : {}));
  const controller = new AbortController();
  const reading = errorOf(readAll(connection, "SELECT n FROM silent", { signal: controller.signal }));
  while (!server.received.some((sql) => sql.includes("silent"))) await sleep(10);
  controller.abort();
  expect(await reading).toMatchObject({ code: "stopped" });
  while (!server.received.includes("attention")) await sleep(10);
});

test("a statement that takes too long is cancelled on the server", async () => {
  const { server, connection } = await opened((sql) => (sql.includes("silent") ? { until: "cancelled" } : {}));
  expect(await errorOf(readAll(connection, "SELECT n FROM silent", { timeoutMs: 200 }))).toMatchObject({
    code: "timeout",
  });
  expect(server.received).toContain("attention");
});

test("a consumer that stops cancels the statement on the server", async () => {
  const { server, connection } = await opened((sql) =>
    sql.includes("endless") ? { ...numbers, until: "cancelled" } : {},
  );
  for await (const batch of connection.stream("SELECT n FROM endless", {
    ...defaultLimits,
    maxRows: 1e9,
    maxBytes: 1e12,
  })) {
    expect(batch.length).toBeGreaterThan(0);
    break;
  }
  expect(server.received).toContain("attention");
});

test("an error of the server is one of the request, and a lock of another one is a timeout", async () => {
  const { connection } = await opened((sql) => {
    if (sql.includes("nothing")) return { error: [208, "Invalid object name 'nothing'."] };
    return sql.includes("locked") ? { error: [1222, "Lock request time out period exceeded."] } : {};
  });
  expect(await errorOf(readAll(connection, "SELECT * FROM nothing"))).toMatchObject({
    code: "invalid_request",
    message: "Invalid object name 'nothing'.",
  });
  expect(await errorOf(readAll(connection, "SELECT * FROM locked"))).toMatchObject({ code: "timeout" });
});

test("a connection that is cut in mid-stream is lost, and the next statement has another", async () => {
  const { connection } = await opened((sql) => (sql.includes("cut") ? { ...numbers, until: "cut" } : numbers));
  expect(await errorOf(readAll(connection, "SELECT n FROM cut_off", { maxRows: 1e6 }))).toMatchObject({
    code: "network",
  });
  expect((await readAll(connection, "SELECT n FROM orders", { maxRows: 5 })).truncated).toBe("rows");
});

test("wrong passwords, missing databases, old servers and unreachable ones are named", async () => {
  const { server, connect } = await open(() => ({}));
  server.loginError = [18456, "Login failed for user 'reader'."];
  expect(await errorOf(connect())).toMatchObject({
    code: "authentication",
    message: `SQL Server at 127.0.0.1:${server.port}/shop refuses reader with this password. Check user and password.`,
  });
  server.loginError = [4060, 'Cannot open database "shop" requested by the login. The login failed.'];
  expect(await errorOf(connect())).toMatchObject({
    code: "config",
    message: expect.stringContaining("does not exist, or reader may not use it"),
  });
  const old = await open(() => ({}), { version: "12.0.6024.0" });
  expect(await errorOf(old.connect())).toMatchObject({
    code: "config",
    message: "SQL Server 12.0.6024.0 is too old. Use SQL Server 2016 (13) or newer.",
  });
  expect(await errorOf(sqlserverConnector.connect({ ...account, port: 1 }, connectContext))).toMatchObject({
    code: "network",
  });
});

test("a server that cannot encrypt is refused if TLS is required", async () => {
  const { server } = await open(() => ({}));
  expect(
    await errorOf(sqlserverConnector.connect({ ...account, tls: "verified", port: server.port }, connectContext)),
  ).toMatchObject({ code: "config" });
});

test("the structure is read in five queries", async () => {
  const { server, connection } = await opened((sql) => {
    if (sql.includes("HAS_PERMS_BY_NAME"))
      return {
        columns: [text("s"), text("o"), text("t"), text("c"), integer("n"), integer("p")],
        rows: [
          ["dbo", "orders", "U ", "What was sold", 3, 1],
          ["dbo", "closed", "V ", null, null, 0],
          ["sales", "latest", "V ", null, null, 1],
          ["sales", "other", "V ", null, null, 1],
        ],
      };
    if (sql.includes("sys.sql_modules"))
      return {
        columns: [text("s"), text("o"), text("d")],
        rows: [
          ["sales", "latest", "CREATE VIEW [sales].[latest] ([as]) WITH SCHEMABINDING AS SELECT o.id FROM Orders AS o"],
          ["sales", "other", "CREATE VIEW sales.other AS SELECT id FROM orders_synonym"],
          ["dbo", "closed", null],
        ],
      };
    if (sql.includes("sys.foreign_keys"))
      return {
        columns: ["a", "b", "c", "d", "e", "f", "g"].map(text),
        rows: [["dbo", "orders", "fk", "customer", "crm", "customers", "id"]],
      };
    if (sql.includes("sys.indexes"))
      return {
        columns: [text("s"), text("o"), text("i"), flag("p"), text("c")],
        rows: [
          ["dbo", "orders", "pk", true, "id"],
          ["dbo", "orders", "u", false, "a"],
          ["dbo", "orders", "u", false, "b"],
        ],
      };
    if (sql.includes("TYPE_NAME"))
      return {
        columns: [
          text("s"),
          text("o"),
          text("c"),
          text("t"),
          text("u"),
          integer("l"),
          integer("p"),
          integer("x"),
          flag("n"),
          text("d"),
        ],
        rows: [
          ["dbo", "orders", "id", "int", "int", 4, 10, 0, false, null],
          ["dbo", "orders", "name", "nvarchar", "nvarchar", 100, 0, 0, true, "who"],
          ["dbo", "orders", "total", "decimal", "decimal", 9, 12, 2, true, null],
        ],
      };
    return {};
  });
  expect(await connection.readStructure(["dbo"])).toEqual({
    tables: [
      {
        schema: "dbo",
        table: "orders",
        kind: "table",
        columns: [
          { name: "id", type: "integer", nativeType: "int", nullable: false, comment: undefined },
          { name: "name", type: "text", nativeType: "nvarchar(50)", nullable: true, comment: "who" },
          { name: "total", type: "decimal", nativeType: "decimal(12,2)", nullable: true, comment: undefined },
        ],
        primaryKey: ["id"],
        uniqueKeys: [["a", "b"]],
        foreignKeys: [{ columns: ["customer"], references: { schema: "crm", table: "customers", columns: ["id"] } }],
        comment: "What was sold",
        estimatedRows: 3,
      },
      expect.objectContaining({ table: "latest", kind: "view", reads: [{ schema: "dbo", table: "orders" }] }),
      expect.objectContaining({ table: "other", kind: "view", reads: "unknown" }),
    ],
    problems: [
      { schema: "dbo", table: "closed", kind: "view", problem: "The account may not read it. Grant it SELECT." },
    ],
  });
  expect(server.received.filter((sql) => sql.includes("FROM sys.") || sql.includes("sys.objects")).length).toBe(5);
});

test("tables of SQL Server with a rowversion are marked by it and their rows, unless a transaction is open", async () => {
  const { server, connection } = await opened((sql) => {
    if (sql.includes("system_type_id = 189"))
      return {
        columns: ["s", "t", "c"].map(text),
        rows: ["orders", "busy", "empty"].map((name) => ["dbo", name, "v]er"]),
      };
    const rows = [
      ["dbo", "orders", 3n, "2001"],
      ["dbo", "busy", 3n, null],
      ["dbo", "empty", 0n, null],
    ];
    return { columns: [text("s"), text("t"), integer("n"), text("v")], rows };
  });
  const tables = ["orders", "busy", "empty", "plain"].map((table) => ({ schema: "dbo", table }));
  expect(await connection.readChangeMarks(tables)).toEqual(["3 2001", undefined, "0 null", undefined]);
  expect(connection.statements).toBe(2);
  const [, query] = server.received;
  expect(query).toContain("CASE WHEN MAX(CONVERT(bigint, [v]]er])) < @lowest THEN");
  expect(query).not.toContain("[plain]");
});

test("permissions beyond reading are shown", async () => {
  const { connection } = await opened((sql) => {
    if (sql.includes("fn_my_permissions"))
      return { columns: [text("p")], rows: [["CONNECT"], ["SELECT"], ["VIEW DEFINITION"], ["UPDATE"]] };
    return sql.includes("SUSER_SNAME") ? { columns: [text("a")], rows: [["reader"]] } : {};
  });
  const findings = await connection.inspectSafety();
  expect(findings.find(({ layer }) => layer === "account")).toEqual({
    layer: "account",
    ok: false,
    message: "The account reader has the permissions UPDATE; use one of db_datareader.",
  });
  expect(findings.find(({ layer }) => layer === "session")?.ok).toBe(false);
});
