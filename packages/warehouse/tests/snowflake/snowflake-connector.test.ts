import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { snowflakeConnector } from "../../src/connectors/snowflake/snowflake-connector.ts";
import type { SnowflakeConfig } from "../../src/connectors/snowflake/snowflake-settings.ts";
import { defaultLimits } from "../../src/port/limits.ts";
import { connectContext, errorOf, readAll } from "../support/reading.ts";
import { openSnowflakeServer, snowflakeAccount, startSnowflake } from "./open-snowflake.ts";
import type { SnowflakeAnswer } from "./snowflake-server.ts";

const rowsOf = (from: number, count: number) => Array.from({ length: count }, (_, index) => [String(from + index)]);
const numbers: SnowflakeAnswer = { columns: [["N", "fixed"]], partitions: [rowsOf(0, 700), rowsOf(700, 500)] };

test("a statement of Snowflake runs asynchronously, with its place, a time limit and pinned parameters", async () => {
  const config = { schema: '"my Schema"', warehouse: "reading", role: "READER" };
  const { server, connection } = await openSnowflakeServer(() => ({ ...numbers, pending: 2 }), config);
  const { rows } = await readAll(connection, "SELECT n FROM orders", { maxRows: 5_000, timeoutMs: 7_100 });
  expect(rows.map(([value]) => Number(value))).toEqual(Array.from({ length: 1_200 }, (_, index) => index));
  expect(connection.statements).toBe(2);
  expect(connection.server).toEqual({
    product: "Snowflake",
    version: "9.35.1",
    defaultSchema: "PUBLIC",
    catalog: "SHOP",
  });
  expect(server.executed).toEqual([
    {
      statement: "SELECT n FROM orders",
      timeout: 8,
      database: "SHOP",
      schema: "my Schema",
      warehouse: "READING",
      role: "READER",
      parameters: expect.objectContaining({
        MULTI_STATEMENT_COUNT: "1",
        TIMEZONE: "UTC",
        BINARY_OUTPUT_FORMAT: "HEX",
        DATE_OUTPUT_FORMAT: "YYYY-MM-DD",
        ROWS_PER_RESULTSET: "5001",
      }),
    },
  ]);
  const [submitted = "", ...asked] = server.requests;
  expect(submitted).toBe("POST /api/v2/statements requestId,async");
  expect(asked.filter((request) => request.endsWith("partition")).length).toBe(1);
  expect(asked.length).toBe(4);
  expect(server.cancelled).toEqual([]);
});

test("values of Snowflake arrive in their forms, without loss", async () => {
  const cells: readonly (readonly [string, number, string | null, unknown, string])[] = [
    ["fixed", 0, "99999999999999999999999999999999999999", 99999999999999999999999999999999999999n, "integer"],
    ["fixed", 0, "-9007199254740993", -9007199254740993n, "integer"],
    ["fixed", 2, "12345678901234567890.50", "12345678901234567890.50", "decimal"],
    ["decfloat", 0, "1.5e3", "1500", "decimal"],
    ["decfloat", 0, "-1.25E-4", "-0.000125", "decimal"],
    ["real", 0, "0.1", 0.1, "float"],
    ["real", 0, "NaN", Number.NaN, "float"],
    ["real", 0, "-inf", Number.NEGATIVE_INFINITY, "float"],
    ["real", 0, "inf", Number.POSITIVE_INFINITY, "float"],
    ["boolean", 0, "true", true, "boolean"],
    ["boolean", 0, "false", false, "boolean"],
    ["text", 0, 'κόσμος 😀 "[\n', 'κόσμος 😀 "[\n', "text"],
    ["date", 0, "19753", "2024-01-31", "date"],
    ["date", 0, "-719162", "0001-01-01", "date"],
    ["time", 9, "82919.123456789", "23:01:59.123456789", "time"],
    ["time", 0, "0.000000000", "00:00:00", "time"],
    ["timestamp_ntz", 9, "1706702400.123456000", "2024-01-31T12:00:00.123456", "timestamp"],
    ["timestamp_ntz", 9, "-1.500000000", "1969-12-31T23:59:58.5", "timestamp"],
    ["timestamp_ltz", 9, "1706702400.000000000", "2024-01-31T12:00:00Z", "timestamptz"],
    ["timestamp_tz", 9, "1616173619.000000001 960", "2021-03-19T17:06:59.000000001Z", "timestamptz"],
    ["binary", 0, "00FF61", new Uint8Array([0, 255, 97]), "bytes"],
    [
      "variant",
      0,
      '{\n  "a b": "x\\"  y",\n  "n": 12345678901234567890.50\n}',
      '{"a b":"x\\"  y","n":12345678901234567890.50}',
      "json",
    ],
    ["array", 0, "[\n  1,\n  null\n]", "[1,null]", "json"],
    ["object", 0, "{}", "{}", "json"],
    ["geography", 0, '{"type":"Point"}', '{"type":"Point"}', "other"],
    ["text", 0, null, null, "text"],
    ["text", 0, "", "", "text"],
  ];
  const { connection } = await openSnowflakeServer(() => ({
    columns: cells.map(([type, scale], index) => [`C${index}`, type, scale] as const),
    partitions: [[cells.map(([, , written]) => written)]],
  }));
  const { rows, columns } = await readAll(connection, "SELECT * FROM kinds");
  expect(rows[0]).toEqual(cells.map(([, , , value]) => value));
  expect(columns.map(({ type }) => type)).toEqual(cells.map(([, , , , type]) => type));
  expect(columns[2]?.nativeType).toBe("NUMBER(38,2)");
});

test("an empty result of Snowflake has columns", async () => {
  const { connection } = await openSnowflakeServer(() => ({ columns: [["A", "text"]] }));
  expect(await readAll(connection, "SELECT a FROM orders")).toMatchObject({ rows: [], columns: [{ name: "A" }] });
});

test("rows and bytes of Snowflake are limited, and further partitions are not read", async () => {
  const { server, connection } = await openSnowflakeServer(() => numbers);
  const few = await readAll(connection, "SELECT n FROM orders", { maxRows: 600 });
  expect([few.rows.length, few.truncated]).toEqual([600, "rows"]);
  expect(server.requests.some((request) => request.includes("partition"))).toBe(false);
  const small = await readAll(connection, "SELECT n FROM orders", { maxRows: 5_000, maxBytes: 100 });
  expect(small.truncated).toBe("bytes");
});

test("a consumer of Snowflake that stops reads no further partition", async () => {
  const { server, connection } = await openSnowflakeServer(() => numbers);
  for await (const batch of connection.stream("SELECT n FROM orders", { ...defaultLimits, maxRows: 5_000 })) {
    expect(batch.length).toBe(500);
    break;
  }
  expect(server.requests.some((request) => request.includes("partition"))).toBe(false);
});

test("an aborted signal cancels the statement of Snowflake", async () => {
  const { server, connection } = await openSnowflakeServer(() => ({ ...numbers, pending: 1e9 }));
  const controller = new AbortController();
  const reading = errorOf(readAll(connection, "SELECT n FROM endless", { signal: controller.signal }));
  while (server.requests.length < 2) await sleep(10);
  controller.abort();
  expect(await reading).toMatchObject({ code: "stopped", message: "The statement was stopped." });
  expect(server.cancelled.length).toBe(1);
});

test("a statement of Snowflake that is stopped before it has a handle is cancelled when the handle arrives", async () => {
  const { server, connection } = await openSnowflakeServer(() => ({ ...numbers, pending: 1e9 }));
  const held = Promise.withResolvers<() => void>();
  server.before = (_, response) => {
    response.writeHead(202).flushHeaders();
    held.resolve(() => response.end(JSON.stringify({ statementHandle: "late-handle" })));
    return true;
  };
  const controller = new AbortController();
  const reading = errorOf(readAll(connection, "SELECT n FROM slow", { signal: controller.signal }));
  const answer = await held.promise;
  controller.abort();
  expect(await reading).toMatchObject({ code: "stopped" });
  expect(server.cancelled).toEqual([]);
  answer();
  await connection.close();
  expect(server.cancelled).toEqual(["late-handle"]);
});

test("a statement of Snowflake that takes too long is a timeout, by the server's answer or without one", async () => {
  const { server, connection } = await openSnowflakeServer((sql) => {
    if (sql.includes("silent")) return { pending: 1e9 };
    const message = "Statement reached its statement or warehouse timeout of 1 second(s) and was canceled.";
    return { error: ["000630", message], ...(sql.includes("slower") ? { status: 408 } : {}) };
  });
  const timeout = {
    code: "timeout",
    message: "The statement took longer than 1 s and was ended. Read less, or raise the limit.",
  };
  for (const sql of ["SELECT n FROM slow", "SELECT n FROM slower"])
    expect(await errorOf(readAll(connection, sql, { timeoutMs: 1_000 }))).toMatchObject(timeout);
  expect(server.cancelled.length).toBe(0);
  expect(await errorOf(readAll(connection, "SELECT n FROM silent", { timeoutMs: 1 }))).toMatchObject({
    code: "timeout",
  });
  expect(server.cancelled.length).toBe(1);
});

test("a request of Snowflake without an answer is sent again with retry, and the statement runs once", async () => {
  const { server, connection } = await openSnowflakeServer(() => numbers);
  server.before = (request) => {
    server.before = () => false;
    request.socket.destroy();
    return true;
  };
  const { rows } = await readAll(connection, "SELECT n FROM orders", { maxRows: 5_000 });
  expect(rows.length).toBe(1_200);
  expect(server.executed.length).toBe(1);
  expect(server.requests.slice(0, 2)).toEqual([
    "POST /api/v2/statements requestId,async",
    "POST /api/v2/statements requestId,async,retry",
  ]);
});

test("questions to Snowflake are repeated after 429 and 503", async () => {
  const { server, connection } = await openSnowflakeServer(() => numbers);
  const statuses = [429, 503];
  server.before = (_, response) => {
    const status = statuses.shift();
    if (status === undefined) return false;
    response.writeHead(status).end("{}");
    return true;
  };
  expect((await readAll(connection, "SELECT n FROM orders", { maxRows: 5_000 })).rows.length).toBe(1_200);
  expect(server.executed.length).toBe(1);
});

test("a token of Snowflake is signed with the private key of the user, which may be encrypted", async () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const { server } = await startSnowflake(() => numbers);
  server.publicKey = createPublicKey(privateKey.export({ type: "pkcs8", format: "pem" }));
  server.tokenType = "KEYPAIR_JWT";
  const plain = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const encrypted = privateKey
    .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "open sesame" })
    .toString();
  const config = { type: "snowflake", account: "myorg-analytics", user: "reader", database: "shop" } as const;
  const endpoint = server.endpoint;
  for (const login of [{ key: plain }, { key: encrypted, passphrase: "open sesame" }]) {
    const connection = await snowflakeConnector.connect({ ...config, endpoint, ...login }, connectContext);
    await connection.close();
  }
  server.issuer = "XY12345.READER";
  const located = { ...config, account: "xy12345.eu-central-1", endpoint, key: plain };
  await (await snowflakeConnector.connect(located, connectContext)).close();
  const wrong = { ...config, endpoint, key: encrypted, passphrase: "other" };
  expect(await errorOf(snowflakeConnector.connect(wrong, connectContext))).toMatchObject({
    code: "config",
    message: "key contains no RSA private key that can be read. Correct the key or its passphrase.",
  });
  const { privateKey: other } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const foreign = { ...config, endpoint, key: other.export({ type: "pkcs8", format: "pem" }).toString() };
  expect(await errorOf(snowflakeConnector.connect(foreign, connectContext))).toMatchObject({
    code: "authentication",
    message: expect.stringContaining("refuses the login of key (JWT token is invalid)"),
  });
});

test("an OAuth token of Snowflake is sent as one", async () => {
  const { server } = await startSnowflake(() => numbers);
  server.tokenType = "OAUTH";
  const config = { type: "snowflake", account: "a", database: "shop", oauthToken: "right" } as const;
  const connection = await snowflakeConnector.connect({ ...config, endpoint: server.endpoint }, connectContext);
  await connection.close();
});

test("settings of Snowflake with no credentials, several, or an address without encryption are refused", async () => {
  const { token: _, ...none } = snowflakeAccount;
  const connect = (config: Partial<SnowflakeConfig>) =>
    snowflakeConnector.connect({ ...none, ...config }, connectContext);
  const needsOne = expect.stringContaining("needs one of keyFile, key, token and oauthToken");
  expect(await errorOf(connect({}))).toMatchObject({ code: "config", message: needsOne });
  expect(await errorOf(connect({ token: "a", oauthToken: "b" }))).toMatchObject({ message: needsOne });
  expect(await errorOf(connect({ key: "a" }))).toMatchObject({
    message: expect.stringContaining("needs the key user"),
  });
  expect(await errorOf(connect({ keyFile: "missing.p8", user: "reader" }))).toMatchObject({
    code: "config",
    message: "The file /missing.p8 of keyFile cannot be read. Correct its path.",
  });
  expect(await errorOf(connect({ token: "a", endpoint: "http://db.example.com" }))).toMatchObject({
    code: "config",
    message: expect.stringContaining("which does not begin with https://"),
  });
});

test("the address of Snowflake follows from the account, and names are folded unless they are quoted", () => {
  const describe = (config: Partial<SnowflakeConfig>) =>
    snowflakeConnector.describe({ ...snowflakeAccount, ...config });
  expect(describe({ account: "MyOrg-My_Account" })).toBe("myorg-my-account.snowflakecomputing.com/SHOP");
  expect(describe({ schema: '"My ""own"""' })).toBe('myorg-analytics.snowflakecomputing.com/SHOP/My "own"');
  const parsed = snowflakeConnector.schema.safeParse({ ...snowflakeAccount, database: "a.b" });
  expect(parsed.error?.issues[0]?.message).toContain("must be a name of letters");
});
