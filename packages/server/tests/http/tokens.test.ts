import { beforeAll, expect, test } from "vitest";
import { RecordingRoutes } from "../support/recording-routes.ts";
import { lines, sendRaw } from "../support/send-raw.ts";
import { startSharedServer, startTestServer, type TestServer } from "../support/start-test-server.ts";

const recording = new RecordingRoutes();
const getServer = startSharedServer({ routes: recording.routes, limits: { wrongTokens: 10_000 } });
let server: TestServer;
beforeAll(async () => {
  server = await getServer();
});

const head = (...headers: readonly string[]) =>
  lines("GET /api/v1/things HTTP/1.1", `Host: 127.0.0.1:${server.port}`, ...headers);

test.each([
  ["no header", []],
  ["an empty header", ["Authorization:"]],
  ["no scheme", ["Authorization: TOKEN"]],
  ["the scheme Basic", ["Authorization: Basic TOKEN"]],
  ["the scheme Token", ["Authorization: Token TOKEN"]],
  ["no space after the scheme", ["Authorization: BearerTOKEN"]],
  ["a token without its end", ["Authorization: Bearer CUT"]],
  ["a token with one more character", ["Authorization: Bearer TOKENx"]],
  ["a token in other case", ["Authorization: Bearer UPPER"]],
  ["two headers", ["Authorization: Bearer TOKEN", "Authorization: Bearer TOKEN"]],
  ["two tokens", ["Authorization: Bearer TOKEN TOKEN"]],
  ["a list of tokens", ["Authorization: Bearer TOKEN, TOKEN"]],
  ["a token of 600 characters", [`Authorization: Bearer ${"x".repeat(600)}`]],
  ["the token in a cookie", ["Cookie: token=TOKEN; Authorization=Bearer TOKEN"]],
  ["the token in another header", ["X-Api-Key: TOKEN", "Proxy-Authorization: Bearer TOKEN", "X-Auth-Token: TOKEN"]],
  ["a token that is not ASCII", ["Authorization: Bearer TOKEN\u00e9"]],
])("S3: a request with %s is refused, and its token is not in the answer", async (_what, headers) => {
  const { token } = server;
  const sent = headers.map((each) =>
    each.replaceAll("TOKEN", token).replace("CUT", token.slice(0, -1)).replace("UPPER", token.toUpperCase()),
  );
  const before = recording.reads;
  const response = await sendRaw(server.port, head(...sent));
  expect([400, 401]).toContain(response.status);
  if (response.status === 401) expect(response.head).toMatch(/www-authenticate: Bearer/i);
  expect(recording.reads).toBe(before);
  expect(response.head + response.body).not.toContain(token.slice(0, 12));
});

test("S3: a token in the query is not accepted", async () => {
  for (const name of ["token", "access_token", "api_key", "key", "auth", "authorization"]) {
    const target = `/api/v1/things?${name}=${server.token}`;
    const text = lines(`GET ${target} HTTP/1.1`, `Host: 127.0.0.1:${server.port}`);
    expect((await sendRaw(server.port, text)).status).toBe(401);
  }
});

test("S2: without a token every path gives 401, so that nobody learns which paths there are", async () => {
  for (const path of ["/", "/api/v1/things", "/api/v1/nothing", "/api/v1/openapi.json", "/mcp", "/favicon.ico"]) {
    expect((await fetch(server.url + path)).status).toBe(401);
  }
});

test("a token with the role viewer reads, and changes nothing", async () => {
  const headers = { authorization: `Bearer ${server.viewerToken}` };
  expect((await server.fetch("/api/v1/things", { headers })).status).toBe(200);
  const before = recording.changes;
  const refused = await server.fetch("/api/v1/things", { method: "POST", json: {}, headers });
  expect([refused.status, recording.changes - before]).toEqual([403, 0]);
  expect(await refused.json()).toMatchObject({ code: "operator-only" });
});

test("the token of an operator changes nothing on a server that is read-only", async () => {
  const readOnly = await startTestServer({ routes: recording.routes, isReadOnly: true });
  const before = recording.changes;
  expect((await readOnly.fetch("/api/v1/things", { method: "POST", json: {} })).status).toBe(403);
  expect((await readOnly.fetch("/api/v1/things")).status).toBe(200);
  expect(recording.changes).toBe(before);
});

test("S3: ten wrong tokens in a minute get 401, the next ones 429, and the right one still passes", async () => {
  let now = 0;
  const { fetch } = await startTestServer({ routes: recording.routes, now: () => now });
  const wrong = { headers: { authorization: "Bearer wrong" } };
  for (let count = 0; count < 10; count += 1) expect((await fetch("/api/v1/things", wrong)).status).toBe(401);
  now = 20_000;
  const refused = await fetch("/api/v1/things", wrong);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "40"]);
  expect((await fetch("/api/v1/things")).status).toBe(200);
  now = 60_000;
  expect((await fetch("/api/v1/things", wrong)).status).toBe(401);
});
