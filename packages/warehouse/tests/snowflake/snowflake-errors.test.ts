import { expect, onTestFinished, test } from "vitest";
import { snowflakeConnector } from "../../src/connectors/snowflake/snowflake-connector.ts";
import { connectContext, errorOf, readAll } from "../support/reading.ts";
import { openSnowflakeServer, snowflakeAccount, snowflakePlace, startSnowflake } from "./open-snowflake.ts";
import type { SnowflakeAnswer } from "./snowflake-server.ts";

const host = (endpoint: string) => new URL(endpoint).host;

test("a wrong token of Snowflake is a refused login", async () => {
  const { server, connect } = await startSnowflake(() => ({}));
  expect(await errorOf(connect({ token: "wrong" }))).toMatchObject({
    code: "authentication",
    message: `Snowflake at ${host(server.endpoint)} refuses the login of token (Invalid access token). Check it, the user, and the account's network policy.`,
  });
});

test("a token of Snowflake that expires later is a refused login, too", async () => {
  const { server, connection } = await openSnowflakeServer(() => ({}));
  server.token = "another";
  expect(await errorOf(readAll(connection, "SELECT 1"))).toMatchObject({ code: "authentication" });
});

test("a Snowflake that cannot be reached, and one without TLS, are named with a remedy", async () => {
  const { server } = await startSnowflake(() => ({}));
  const connect = (endpoint: string) => snowflakeConnector.connect({ ...snowflakeAccount, endpoint }, connectContext);
  expect(await errorOf(connect("https://127.0.0.1:1"))).toMatchObject({
    code: "network",
    message: expect.stringContaining("Snowflake at 127.0.0.1:1 cannot be reached"),
  });
  expect(await errorOf(connect(server.endpoint.replace("http:", "https:")))).toMatchObject({
    code: "config",
    message: expect.stringContaining(`The TLS connection to Snowflake at ${host(server.endpoint)} failed`),
  });
});

test.each([
  [
    { database: "" },
    'The database SHOP of HOST does not exist, or the role READER may not use it. Correct "database" or "role".',
  ],
  [
    { schema: "" },
    'The schema SALES of SHOP does not exist, or the role READER may not use it. Correct "schema" or "role".',
  ],
  [
    { warehouse: "" },
    'There is no warehouse to run statements at HOST. Set "warehouse" to one that the role READER may use.',
  ],
  [
    { version: "VERSION" },
    "The user of HOST has QUOTED_IDENTIFIERS_IGNORE_CASE, which changes the meaning of names in quotes. Run ALTER USER … SET QUOTED_IDENTIFIERS_IGNORE_CASE = FALSE.",
  ],
])("a place of Snowflake that cannot be used is refused when it is opened: %j", async (place, message) => {
  const { server, connect } = await startSnowflake(() => ({}), snowflakePlace(place));
  expect(await errorOf(connect({ schema: "sales" }))).toMatchObject({
    code: "config",
    message: message.replace("HOST", host(server.endpoint)),
  });
});

test.each<readonly [string, SnowflakeAnswer, string, string]>([
  [
    "a suspended warehouse",
    { error: ["000606", "No active warehouse selected in the current session."] },
    "config",
    'The warehouse of HOST cannot run statements (No active warehouse selected in the current session). Set "warehouse" to one that the role may use, and resume it.',
  ],
  [
    "a warehouse over its quota",
    { error: ["090073", "Warehouse READING cannot be resumed because resource monitor M has exceeded its quota."] },
    "config",
    'The warehouse of HOST cannot run statements (Warehouse READING cannot be resumed because resource monitor M has exceeded its quota). Set "warehouse" to one that the role may use, and resume it.',
  ],
  [
    "a role that the user does not have",
    {
      error: ["390189", "Role 'OTHER' specified in the connect string does not exist or not authorized."],
      status: 401,
    },
    "config",
    "Snowflake at HOST refuses the settings (Role 'OTHER' specified in the connect string does not exist or not authorized). Correct role and names.",
  ],
  [
    "a table that the role may not read",
    { error: ["003001", "SQL access control error:\nInsufficient privileges to operate on table 'SALARIES'"] },
    "invalid_request",
    "SQL access control error: Insufficient privileges to operate on table 'SALARIES'.",
  ],
  [
    "a view that fails",
    { error: ["002037", "SQL compilation error:\nFailure during expansion of view 'LATEST': column missing"] },
    "invalid_request",
    "SQL compilation error: Failure during expansion of view 'LATEST': column missing.",
  ],
  [
    "a body that is refused",
    { error: ["391902", "Unable to parse the body of the request."], status: 400 },
    "invalid_request",
    "Unable to parse the body of the request.",
  ],
  [
    "a fault of the service",
    { error: ["000603", "SQL execution internal error"], status: 500 },
    "overloaded",
    "Snowflake at HOST reports an internal error (SQL execution internal error). Try again later.",
  ],
])("%s of Snowflake is one sentence", async (_, answer, code, message) => {
  const { server, connection } = await openSnowflakeServer(() => answer);
  expect(await errorOf(readAll(connection, "SELECT a FROM t"))).toMatchObject({
    code,
    message: message.replace("HOST", host(server.endpoint)),
  });
});

test("a result of Snowflake that breaks off is a lost connection", async () => {
  const { connection } = await openSnowflakeServer(() => ({
    columns: [["A", "text"]],
    partitions: [[["1"]], [["2"]]],
    cutAt: 1,
  }));
  expect(await errorOf(readAll(connection, "SELECT a FROM t"))).toMatchObject({
    code: "network",
    message: expect.stringContaining("was lost"),
  });
});

test("an account that limits requests all the time is a rate limit", async () => {
  const { server, connection } = await openSnowflakeServer(() => ({}));
  server.before = (_, response) => {
    response.writeHead(429).end(JSON.stringify({ code: "391909", message: "Too many requests." }));
    return true;
  };
  expect(await errorOf(readAll(connection, "SELECT a FROM t"))).toMatchObject({ code: "rate_limit" });
});

test("a server that is no Snowflake is named with a remedy", async () => {
  const { server, connect } = await startSnowflake(() => ({}));
  server.before = (_, response) => {
    response.writeHead(200).end("<html>Welcome</html>");
    return true;
  };
  expect(await errorOf(connect())).toMatchObject({
    code: "network",
    message: `Snowflake at ${host(server.endpoint)} sent an answer that cannot be read. Try again, or check account and endpoint.`,
  });
  server.before = (_, response) => {
    response.writeHead(404).end("Not found");
    return true;
  };
  expect(await errorOf(connect())).toMatchObject({
    code: "network",
    message: `${host(server.endpoint)} answered with HTTP 404 and no result of Snowflake. Check account and endpoint.`,
  });
});

test("a redirect of Snowflake is not followed, so that no token goes to another address", async () => {
  const { server: other } = await startSnowflake(() => ({}));
  const { server, connect } = await startSnowflake(() => ({}));
  server.before = (_, response) => {
    response.writeHead(307, { Location: `${other.endpoint}/api/v2/statements` }).end();
    return true;
  };
  expect(await errorOf(connect())).toMatchObject({ code: "network", message: expect.stringContaining("redirect") });
  expect(other.requests).toEqual([]);
});

test("two statements in one text are refused by Snowflake itself", async () => {
  const { connection } = await openSnowflakeServer(() => ({}));
  expect(await errorOf(readAll(connection, "SELECT 1; DROP TABLE orders"))).toMatchObject({
    code: "invalid_request",
    message: "Actual statement count 2 did not match the desired statement count 1.",
  });
});

test("a connection to Snowflake that is closed is named, and an aborted signal ends the reading of the catalog", async () => {
  const { connect } = await startSnowflake(() => ({}));
  const connection = await connect();
  onTestFinished(() => connection.close());
  expect(await errorOf(connection.readStructure(undefined, { signal: AbortSignal.abort() }))).toMatchObject({
    code: "stopped",
  });
  await connection.close();
  expect(await errorOf(readAll(connection, "SELECT 1"))).toMatchObject({
    code: "network",
    message: "The connection to Snowflake is closed. Open it again.",
  });
});
