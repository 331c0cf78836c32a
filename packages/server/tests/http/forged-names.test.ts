import { beforeAll, describe, expect, test } from "vitest";
import { RecordingRoutes } from "../support/recording-routes.ts";
import { lines, sendRaw } from "../support/send-raw.ts";
import { startSharedServer, type TestServer } from "../support/start-test-server.ts";

const recording = new RecordingRoutes();
let server: TestServer;
const getServer = startSharedServer({ routes: recording.routes });
beforeAll(async () => {
  server = await getServer();
});

/** Returns the status of a request with the token. Characters outside ASCII are sent as UTF-8. */
async function statusOf(first: string, ...headers: readonly string[]): Promise<number> {
  const all = [first, ...headers, `Authorization: Bearer ${server.token}`, "Connection: close"];
  const { status } = await sendRaw(server.port, Buffer.from(lines(...all).replaceAll("PORT", `${server.port}`)));
  return status;
}

const list = "GET /api/v1/things HTTP/1.1";

describe("S4: a Host that only looks like the server's own", () => {
  test.each([
    "localhost..:PORT",
    "127.0.0.1.:PORT",
    "127.0.0.1:PORT.",
    "localhost:",
    "localhost:+PORT",
    "localhost:PORT:PORT",
    "localhost: PORT",
    "localhost :PORT",
    "localhost\t:PORT",
    "localhost:PORT\t,x",
    "localhost:PORT;x",
    ":PORT",
    "[::ffff:127.0.0.1]:PORT",
    "[0:0:0:0:0:0:0:1]:PORT",
    "[::0001]:PORT",
    "[::1%25lo]:PORT",
    "[::1%lo]:PORT",
    "::1",
    "[::1",
    "[::1]",
    "[::1]PORT",
    "[]:PORT",
    "[localhost]:PORT",
    "[127.0.0.1]:PORT",
    "[::]:PORT",
    "[::2]:PORT",
    "0177.0.0.1:PORT",
    "127.0.1:PORT",
    "127.000.000.001:PORT",
    "127.0.0.01:PORT",
    "017700000001:PORT",
    "0:PORT",
    "localhost\u3002:PORT",
    "\u24dbocalhost:PORT",
    "127\u30020\u30020\u30021:PORT",
    "\uff11\uff12\uff17.0.0.1:PORT",
    "lo\u0441alhost:PORT",
    "localhost\u200b:PORT",
    "localhost\u00a0:PORT",
    "\ufefflocalhost:PORT",
    "xn--lcalhost-3fg:PORT",
    "localhost:PORT\\@evil.example",
    "localhost%00.evil.example:PORT",
    "localhost%2eevil.example:PORT",
    "a@127.0.0.1:PORT",
    "127.0.0.1.nip.io:PORT",
    "localtest.me:PORT",
    "ip6-localhost:PORT",
    "localhost.localdomain:PORT",
    "host.docker.internal:PORT",
  ])("%j is refused", async (host) => {
    expect([400, 421]).toContain(await statusOf(list, `Host: ${host}`));
  });

  test.each([
    ["X-Forwarded-Host", "X-Forwarded-Host: evil.example", 200],
    ["Forwarded", "Forwarded: host=evil.example;proto=https", 200],
    ["X-Original-URL", "X-Original-URL: /api/v1/nothing", 200],
    ["X-Rewrite-URL", "X-Rewrite-URL: /api/v1/nothing", 200],
    ["X-Host", "X-Host: evil.example", 200],
    [":authority", ":authority: evil.example", 400],
  ])("no other header takes its place: %s", async (_name, header, status) => {
    expect(await statusOf(list, "Host: localhost:PORT", header)).toBe(status);
    expect(await statusOf(list, "Host: evil.example", header.replace("evil.example", "localhost:PORT"))).not.toBe(200);
  });
});

describe("S5 and S6: what browsers send about the page", () => {
  const host = "Host: localhost:PORT";
  test.each([
    ["an own origin from another site", ["Origin: http://localhost:PORT", "Sec-Fetch-Site: cross-site"]],
    ["a foreign origin that claims to be the same", ["Origin: http://evil.example", "Sec-Fetch-Site: same-origin"]],
    ["a foreign origin that claims to be no page", ["Origin: http://evil.example", "Sec-Fetch-Site: none"]],
    ["an image of another site", ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: image", "Sec-Fetch-Mode: no-cors"]],
    ["a frame of another site", ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: iframe", "Sec-Fetch-Mode: navigate"]],
    ["a page of the same site, on another port", ["Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: cors"]],
    ["a site that is unknown", ["Sec-Fetch-Site: nested-document"]],
    ["a value with a zero byte at its end", ["Sec-Fetch-Site: same-origin%00"]],
    ["an origin of an extension", ["Origin: moz-extension://0b0a", "Sec-Fetch-Site: none"]],
    ["an origin with a port of five digits and a sign", ["Origin: http://localhost:+PORT"]],
    ["an origin with a space", ["Origin: http://localhost:PORT x"]],
    ["an origin as an IPv6 address of another spelling", ["Origin: http://[0:0:0:0:0:0:0:1]:PORT"]],
    ["a blob", ["Origin: blob:http://localhost:PORT"]],
    ["data", ["Origin: data:text/html,x"]],
  ])("%s is refused", async (_what, headers) => {
    expect(await statusOf(list, host, ...headers)).toBe(403);
  });
});

describe("S3: a token that is somewhere else than in Authorization: Bearer", () => {
  const send = async (target: string, ...headers: readonly string[]) => {
    const all = [`GET ${target} HTTP/1.1`, "Host: localhost:PORT", ...headers, "Connection: close"];
    const text = lines(...all)
      .replaceAll("PORT", `${server.port}`)
      .replaceAll("TOKEN", server.token);
    return (await sendRaw(server.port, text)).status;
  };
  test.each([
    ["the query", "/api/v1/things?token=TOKEN", []],
    ["the query, as OAuth has it", "/api/v1/things?access_token=TOKEN", []],
    ["the path", "/TOKEN/api/v1/things", []],
    ["a cookie", "/api/v1/things", ["Cookie: token=TOKEN; authorization=Bearer TOKEN"]],
    ["basic credentials", "/api/v1/things", ["Authorization: Basic TOKEN"]],
    ["no scheme", "/api/v1/things", ["Authorization: TOKEN"]],
    ["a header of two values", "/api/v1/things", ["Authorization: Bearer x, Bearer TOKEN"]],
    ["two headers", "/api/v1/things", ["Authorization: Bearer TOKEN", "Authorization: Bearer TOKEN"]],
    ["a header of a proxy", "/api/v1/things", ["Proxy-Authorization: Bearer TOKEN"]],
    ["X-Api-Key", "/api/v1/things", ["X-Api-Key: TOKEN", "X-Auth-Token: TOKEN"]],
    ["a subprotocol of a websocket", "/api/v1/things", ["Sec-WebSocket-Protocol: bearer, TOKEN"]],
    ["a longer text", "/api/v1/things", ["Authorization: Bearer TOKENx"]],
    ["quotes", "/api/v1/things", ['Authorization: Bearer "TOKEN"']],
    ["a folded header", "/api/v1/things", ["Authorization: Bearer", " TOKEN"]],
  ])("in %s is not accepted", async (_where, target, headers) => {
    expect([400, 401]).toContain(await send(target, ...headers));
  });
});

describe("S12: a path that is another when it is decoded", () => {
  test.each([
    "/%61pi/v1/things",
    "/api%2Fv1%2Fthings",
    "/%2Fapi/v1/things",
    "/api/v1/%74hings",
    "/api/v1/things%00",
    "/api/v1/things%20",
    "/api/v1/things%0d%0a",
    "/api/v1/things%3Flimit=1",
    "/api/v1/things%23",
    "/api/v1/things.",
    "/api/v1/things/%2e",
    "/api/v1/things/%2e%2e",
    "/api/v1/things/..%2f",
    "/api/v1/things/a%2f..%2fb",
    "/api/v1/things/%252e%252e",
    "/api/v1/things/%c0%ae%c0%ae",
    "/api/v1/things/%u002e",
    "/api/v1/things/%e2%80%ae",
    "/api/v1/things/a%00b",
    "/api/v1/things/%ff",
    "/api/v1/things/%ef%bc%8e",
    "/api/v1/things/a%0a",
    "/api/v1/things/*",
    "/api/v1/things/a/",
    "/api/v1/things/a//",
    "/api/v1/things//a",
    "/./api/v1/things",
    "/api/v1/things/:thing",
    "/api/v1/things/{thing}",
    "/api/v1/:things",
    "/api/v1/*",
    "/constructor",
    "/__proto__",
    "/api/v1/__proto__",
  ])("%s leads to nothing", async (path) => {
    const before = recording.reads;
    expect([400, 404]).toContain(await statusOf(`GET ${path} HTTP/1.1`, "Host: localhost:PORT"));
    expect(recording.reads).toBe(before);
  });

  test.each([
    ["/api/v1/things?limit=1&limit=2", 422],
    ["/api/v1/things?limit=1;limit=2", 422],
    ["/api/v1/things?limit[]=1", 422],
    ["/api/v1/things?limit%5B%5D=1", 422],
    ["/api/v1/things?LIMIT=1", 422],
    ["/api/v1/things?__proto__=1", 422],
    ["/api/v1/things?constructor=1", 422],
    ["/api/v1/things?limit=%31", 200],
    ["/api/v1/things?limit=1?x", 422],
    ["/api/v1/things?%00=1", 422],
    ["/api/v1/things?%ff=1", 422],
    ["/api/v1/things?", 200],
    ["/api/v1/things??limit=0", 422],
    ["/api/v1/things?&&", 200],
    [`/api/v1/things?${"a=1&".repeat(3000)}`, 422],
  ])("the query of %s gives %i", async (target, status) => {
    expect(await statusOf(`GET ${target} HTTP/1.1`, "Host: localhost:PORT")).toBe(status);
  });
});
