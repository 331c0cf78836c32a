import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { clickhouseConnector } from "../../src/connectors/clickhouse/clickhouse-connector.ts";
import { defaultLimits } from "../../src/port/limits.ts";
import { connectContext, errorOf, readAll } from "../support/reading.ts";
import { type ClickHouseAnswer, ClickHouseServer } from "./clickhouse-server.ts";

const account = { type: "clickhouse", host: "127.0.0.1", user: "reader", password: "right", tls: "off" } as const;

async function open(answer: (sql: string) => ClickHouseAnswer, { version = "25.8.1.1", readOnly = "0" } = {}) {
  const server = await ClickHouseServer.start((sql) => {
    if (sql.includes("version()")) return `${version}\tshop\t${readOnly}\n`;
    return sql.startsWith("KILL") ? "" : answer(sql);
  });
  onTestFinished(() => server.close());
  const connect = () => clickhouseConnector.connect({ ...account, port: server.port }, connectContext);
  return { server, connect };
}

async function opened(answer: (sql: string) => ClickHouseAnswer, options?: { version?: string; readOnly?: string }) {
  const { server, connect } = await open(answer, options);
  const connection = await connect();
  onTestFinished(() => connection.close());
  server.received.length = 0;
  server.settings.length = 0;
  return { server, connection };
}

const numbers: ClickHouseAnswer = {
  columns: [["n", "UInt64"]],
  rows: Array.from({ length: 1_200 }, (_, n) => `[${n}]`),
};

test("each statement of ClickHouse runs with readonly, a time limit and an identifier", async () => {
  const { server, connection } = await opened(() => numbers);
  const { rows } = await readAll(connection, "SELECT n FROM orders", { maxRows: 5_000, timeoutMs: 7_000 });
  expect(rows.length).toBe(1_200);
  expect(connection.statements).toBe(1);
  expect(server.received).toEqual(["SELECT n FROM orders"]);
  expect(Object.fromEntries(server.settings[0] ?? [])).toMatchObject({
    readonly: "1",
    max_execution_time: "7",
    timeout_overflow_mode: "throw",
    query_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test("a profile of ClickHouse with readonly = 2 is used as it is, and one with 1 is refused with a remedy", async () => {
  const { server, connection } = await opened(() => numbers, { readOnly: "2" });
  await readAll(connection, "SELECT n FROM orders");
  expect(server.settings[0]?.has("readonly")).toBe(false);
  const other = await open(() => numbers, { readOnly: "1" });
  expect(await errorOf(other.connect())).toMatchObject({
    code: "config",
    message: expect.stringContaining('Set "readonly = 2" there'),
  });
});

test("values of ClickHouse arrive in their forms, without loss", async () => {
  const cells: readonly (readonly [string, string, unknown])[] = [
    ["Int64", "-9223372036854775808", -9223372036854775808n],
    ["UInt256", "1".repeat(70), BigInt("1".repeat(70))],
    ["Int128", '"-170141183460469231731687303715884105728"', -170141183460469231731687303715884105728n],
    ["Nullable(Decimal(38, 2))", "12345678901234567890.50", "12345678901234567890.50"],
    ["Float64", "0.1", 0.1],
    ["Float64", '"-inf"', Number.NEGATIVE_INFINITY],
    ["Bool", "true", true],
    ["LowCardinality(Nullable(String))", '"κόσμος 😀 \\"[\\n"', 'κόσμος 😀 "[\n'],
    ["Date", '"2024-01-31"', "2024-01-31"],
    ["DateTime('Europe/Paris')", '"2024-01-31T11:00:00Z"', "2024-01-31T11:00:00Z"],
    ["DateTime64(6, 'UTC')", '"2024-01-31T12:00:00.123450Z"', "2024-01-31T12:00:00.12345Z"],
    ["UUID", '"00112233-4455-6677-8899-aabbccddeeff"', "00112233-4455-6677-8899-aabbccddeeff"],
    ["Array(Nullable(UInt64))", "[18446744073709551615,null]", [18446744073709551615n, null]],
    ["Array(Array(String))", '[["a"],[]]', [["a"], []]],
    ["Map(String, UInt64)", '{"a":18446744073709551615}', '{"a":18446744073709551615}'],
    ["Tuple(a UInt8, b String)", '[1,"x"]', '[1,"x"]'],
    ["Nullable(Int32)", "null", null],
    ["Enum8('a' = 1)", '"a"', "a"],
    ["IPv4", '"1.2.3.4"', "1.2.3.4"],
  ];
  const { connection } = await opened(() => ({
    columns: cells.map(([type], index) => [`c${index}`, type] as const),
    rows: [`[${cells.map(([, written]) => written).join(", ")}]`],
  }));
  const { rows, columns } = await readAll(connection, "SELECT * FROM kinds");
  expect(rows[0]).toEqual(cells.map(([, , value]) => value));
  expect(columns.map(({ type }) => type).join(" ")).toBe(
    "integer integer integer decimal float float boolean text date timestamptz timestamptz uuid array array json json integer text other",
  );
});

test("an empty result of ClickHouse has columns", async () => {
  const { connection } = await opened(() => ({ columns: [["a", "String"]] }));
  expect(await readAll(connection, "SELECT a FROM orders")).toMatchObject({ rows: [], columns: [{ name: "a" }] });
});

test("rows of ClickHouse are limited at the cursor, and the statement is killed", async () => {
  const { server, connection } = await opened(() => ({ ...numbers, until: "cancelled" }));
  const { rows, truncated } = await readAll(connection, "SELECT n FROM endless", { maxRows: 3_000 });
  expect([rows.length, truncated]).toEqual([3_000, "rows"]);
  const id = server.settings[0]?.get("query_id");
  expect(server.received[1]).toBe(`KILL QUERY WHERE query_id = '${id}' ASYNC FORMAT TSV`);
});

test("an aborted signal kills the statement of ClickHouse", async () => {
  const { server, connection } = await opened(() => ({ until: "cancelled" }));
  const controller = new AbortController();
  const reading = errorOf(readAll(connection, "SELECT n FROM silent", { signal: controller.signal }));
  while (server.received.length === 0) await sleep(10);
  controller.abort();
  expect(await reading).toMatchObject({ code: "stopped" });
  expect(server.received[1]).toMatch(/^KILL QUERY/);
});

test("a statement of ClickHouse that takes too long is a timeout, by the server's answer or without one", async () => {
  const { server, connection } = await opened((sql) =>
    sql.includes("silent") ? { until: "cancelled" } : { error: [159, "Timeout exceeded: elapsed 1 seconds."] },
  );
  expect(await errorOf(readAll(connection, "SELECT n FROM slow", { timeoutMs: 1_000 }))).toMatchObject({
    code: "timeout",
    message: "The statement took longer than 1 s and was ended. Read less, or raise the limit.",
  });
  expect(await errorOf(readAll(connection, "SELECT n FROM silent", { timeoutMs: 100 }))).toMatchObject({
    code: "timeout",
  });
  expect(server.received.at(-1)).toMatch(/^KILL QUERY/);
});

test("a consumer that stops kills the statement of ClickHouse", async () => {
  const { server, connection } = await opened(() => ({ ...numbers, until: "cancelled" }));
  for await (const batch of connection.stream("SELECT n FROM endless", { ...defaultLimits, maxRows: 1e9 })) {
    expect(batch.length).toBe(500);
    break;
  }
  expect(server.received[1]).toMatch(/^KILL QUERY/);
});

test("errors of ClickHouse before and in a result are its message, and a cut result is a lost connection", async () => {
  const { connection } = await opened((sql) => {
    if (sql.includes("cut_off")) return { ...numbers, until: "cut" };
    if (sql.includes("broken")) return { ...numbers, until: "error", error: [395, "Value passed to throwIf."] };
    return { error: [47, "Unknown expression identifier `x` in scope SELECT x."] };
  });
  expect(await errorOf(readAll(connection, "SELECT x"))).toMatchObject({
    code: "invalid_request",
    message: "Unknown expression identifier `x` in scope SELECT x.",
  });
  expect(await errorOf(readAll(connection, "SELECT n FROM broken", { maxRows: 1e6 }))).toMatchObject({
    code: "invalid_request",
    message: "Value passed to throwIf.",
  });
  expect(await errorOf(readAll(connection, "SELECT n FROM cut_off", { maxRows: 1e6 }))).toMatchObject({
    code: "network",
  });
});

test("wrong passwords, missing databases, old and unreachable servers and TLS of ClickHouse are named", async () => {
  const { server, connect } = await open(() => ({}));
  server.password = "other";
  expect(await errorOf(connect())).toMatchObject({
    code: "authentication",
    message: `ClickHouse at 127.0.0.1:${server.port} refuses reader with this password. Check user and password.`,
  });
  server.password = "right";
  const tls = clickhouseConnector.connect({ ...account, tls: "verified", port: server.port }, connectContext);
  expect(await errorOf(tls)).toMatchObject({
    code: "config",
    message: expect.stringContaining("failed (wrong version number). Check"),
  });
  const old = await open(() => ({}), { version: "22.8.5.1" });
  expect(await errorOf(old.connect())).toMatchObject({
    message: "ClickHouse 22.8.5.1 is too old. Use ClickHouse 23.3 or newer.",
  });
  const gone = clickhouseConnector.connect({ ...account, port: 1 }, connectContext);
  expect(await errorOf(gone)).toMatchObject({ code: "network" });
  const missing = await ClickHouseServer.start(() => ({ error: [81, "Database shop does not exist."] }));
  onTestFinished(() => missing.close());
  const config = { ...account, database: "shop", port: missing.port };
  expect(await errorOf(clickhouseConnector.connect(config, connectContext))).toMatchObject({
    code: "config",
    message: `The database of 127.0.0.1:${missing.port}/shop does not exist, or reader may not use it. Correct "database".`,
  });
});

const systemTables = [
  ...["a", "b", "c", "d"].map((name) => [name, "String"] as const),
  ["n", "Nullable(UInt64)"] as const,
  ...["e", "s", "q"].map((name) => [name, "String"] as const),
];

test("ClickHouse says which tables a view or a forwarding engine shows, and of others it is unknown", async () => {
  const row = (name: string, engine: string, full = "", select = "", query = "") =>
    JSON.stringify(["shop", name, engine, "", null, full, select, query]);
  const copy = "SELECT id FROM shop.orders";
  const { connection } = await opened((sql) =>
    sql.includes("system.columns")
      ? { columns: ["a", "b", "c", "d", "e"].map((name) => [name, "String"] as const) }
      : {
          columns: systemTables,
          rows: [
            row("orders", "ReplicatedMergeTree"),
            row("kept", "Memory"),
            row("plain", "View", "", "SELECT o.id FROM shop.orders AS o INNER JOIN shop.kept AS k ON o.id = k.id"),
            row("other", "View", "", "SELECT * FROM hidden.pay"),
            row("called", "View", "", "SELECT * FROM remote('host', 'hidden', 'pay')"),
            row(
              "inner",
              "MaterializedView",
              "",
              copy,
              `CREATE MATERIALIZED VIEW shop.inner (\`id\` UInt8) ENGINE = Log AS ${copy}`,
            ),
            row(
              "into",
              "MaterializedView",
              "",
              copy,
              `CREATE MATERIALIZED VIEW shop.into TO hidden.\`pay out\` (\`id\` UInt8) AS ${copy}`,
            ),
            row("all", "Distributed", "Distributed('main', 'hidden', 'pay', rand())"),
            row("buffer", "Buffer", "Buffer('shop', 'orders', 16, 10, 100, 1, 2, 3, 4)"),
            row("merged", "Merge", "Merge('hidden', '^p')"),
            row("remote", "PostgreSQL", "PostgreSQL('host', 'db', 't', 'u', '[HIDDEN]')"),
          ],
        },
  );
  const { tables } = await connection.readStructure(undefined);
  const orders = { schema: "shop", table: "orders" };
  expect(Object.fromEntries(tables.map(({ table, reads }) => [table, reads]))).toEqual({
    orders: undefined,
    kept: undefined,
    plain: [orders, { schema: "shop", table: "kept" }],
    other: "unknown",
    called: "unknown",
    inner: [orders],
    into: [orders, { schema: "hidden", table: "pay out" }],
    all: [{ schema: "hidden", table: "pay" }],
    buffer: [orders],
    merged: "unknown",
    remote: [],
  });
});

test("the structure of ClickHouse is read in two queries, and its primary keys are no keys", async () => {
  const { server, connection } = await opened((sql) =>
    sql.includes("system.columns")
      ? {
          columns: ["database", "table", "name", "type", "comment"].map((name) => [name, "String"] as const),
          rows: ['["shop","orders","id","UInt64",""]', '["shop","orders","note","Nullable(String)","free text"]'],
        }
      : {
          columns: systemTables,
          rows: [
            '["shop","orders","MergeTree","What was sold",3,"","",""]',
            '["shop","latest","View","",null,"","",""]',
          ],
        },
  );
  expect(await connection.readStructure(["shop"])).toEqual({
    tables: [
      {
        schema: "shop",
        table: "orders",
        kind: "table",
        columns: [
          { name: "id", type: "integer", nativeType: "UInt64", nullable: false, comment: undefined },
          { name: "note", type: "text", nativeType: "Nullable(String)", nullable: true, comment: "free text" },
        ],
        primaryKey: [],
        uniqueKeys: [],
        foreignKeys: [],
        comment: "What was sold",
        estimatedRows: 3,
      },
      expect.objectContaining({ table: "latest", kind: "view", columns: [], estimatedRows: undefined }),
    ],
    problems: [],
  });
  expect(server.received.length).toBe(2);
  expect(server.received[0]).toContain("database IN ('shop')");
  // Ephemeral columns are excluded, because they cannot be read.
  expect(server.received[1]).toContain("default_kind != 'EPHEMERAL'");
});

test("change marks of ClickHouse come from one query, and are absent if the account may not read the parts", async () => {
  const tables = ["orders", "latest"].map((table) => ({ schema: "shop", table }));
  const { server, connection } = await opened(() => ({
    columns: ["a", "b", "c"].map((name) => [name, "String"] as const),
    rows: ['["shop","orders","1700000000-2-77"]'],
  }));
  expect(await connection.readChangeMarks(tables)).toEqual(["1700000000-2-77", undefined]);
  expect(server.received.length).toBe(1);
  const denied = await opened(() => ({ error: [497, "Not enough privileges."] }));
  expect(await denied.connection.readChangeMarks(tables)).toEqual([undefined, undefined]);
});

test("privileges of a ClickHouse account beyond reading are shown", async () => {
  const { connection } = await opened((sql) => ({
    columns: [["a", "String"]],
    rows: sql.includes("GRANTS")
      ? ['["GRANT SHOW TABLES, SELECT(a, b), INSERT ON shop.* TO reader"]', '["GRANT ALTER ON x.* TO reader"]']
      : ['["reader"]'],
  }));
  const findings = await connection.inspectSafety();
  expect(findings.find(({ layer }) => layer === "account")).toEqual({
    layer: "account",
    ok: false,
    message: "The account reader is granted INSERT, ALTER; use one that has only SELECT.",
  });
});
