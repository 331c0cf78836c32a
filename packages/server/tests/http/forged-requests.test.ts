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

/** Returns these headers and that of the token. PORT stands for the server's port. */
function own(...headers: readonly string[]): string[] {
  return [`Authorization: Bearer ${server.token}`, ...headers].map(withPort);
}

function withPort(text: string): string {
  return text.replaceAll("PORT", `${server.port}`).replaceAll("NEXT", `${server.port + 1}`);
}

async function statusOf(first: string, ...headers: readonly string[]): Promise<number> {
  const { status, head, body } = await sendRaw(server.port, lines(withPort(first), ...own(...headers)));
  if (status >= 400 && status !== 405) expect(head).toMatch(/content-type: application\/problem\+json/i);
  expect(body).not.toMatch(/\bat .*\.ts|node_modules|node:internal/);
  return status;
}

const list = "GET /api/v1/things HTTP/1.1";

describe("S4: the header Host", () => {
  test.each(["127.0.0.1:PORT", "localhost:PORT", "LocalHost:PORT", "[::1]:PORT"])("accepts %s", async (host) => {
    expect(await statusOf(list, `Host: ${host}`)).toBe(200);
  });

  test.each([
    "evil.example:PORT",
    "evil.example",
    "127.0.0.1",
    "localhost",
    "127.0.0.1:NEXT",
    "127.0.0.1:80",
    "127.0.0.1:0PORT",
    "127.0.0.2:PORT",
    "0.0.0.0:PORT",
    "[::]:PORT",
    "::1:PORT",
    "127.1:PORT",
    "2130706433:PORT",
    "0x7f000001:PORT",
    "127.0.0.1.evil.example:PORT",
    "localhost.evil.example:PORT",
    "evil.localhost:PORT",
    "localhost.:PORT",
    "localhost:PORT.",
    "user@localhost:PORT",
    "localhost:PORT@evil.example",
    "localhost:PORT, evil.example",
    "localhost:PORT/",
    "localhost:PORT#",
    "localhost:PORT?x",
    "http://localhost:PORT",
    "*",
    "null",
    "%6cocalhost:PORT",
    "locɑlhost:PORT",
  ])("refuses %s", async (host) => {
    expect([400, 421]).toContain(await statusOf(list, `Host: ${host}`));
  });

  test.each([
    ["none", []],
    ["an empty one", ["Host:"]],
    ["two equal ones", ["Host: localhost:PORT", "Host: localhost:PORT"]],
    ["a right and a foreign one", ["Host: localhost:PORT", "Host: evil.example"]],
    ["a foreign and a right one", ["Host: evil.example", "Host: localhost:PORT"]],
    ["a folded one", ["Host: localhost:PORT", " evil.example"]],
    ["a name with a space before its colon", ["Host : localhost:PORT"]],
  ])("refuses a request with %s", async (_what, headers) => {
    expect([400, 421]).toContain(await statusOf(list, ...headers));
  });

  test("the names of a proxy are believed only with --behind-proxy", async () => {
    expect(await statusOf(list, "Host: evil.example", "X-Forwarded-Host: localhost:PORT")).toBe(421);
    expect(await statusOf(list, "Host: localhost:PORT", "X-Forwarded-Host: evil.example")).toBe(200);
  });
});

describe("S5: the header Origin", () => {
  test.each(["127.0.0.1", "localhost", "[::1]"])("of the server itself at %s passes", async (name) => {
    expect(await statusOf(list, `Host: ${name}:PORT`, `Origin: http://${name}:PORT`)).toBe(200);
  });

  test.each([
    "null",
    "",
    "http://evil.example",
    "https://localhost:PORT",
    "http://localhost",
    "http://localhost:NEXT",
    "http://127.0.0.1:PORT",
    "http://localhost:PORT.evil.example",
    "http://localhost:PORT/",
    "http://LOCALHOST:PORT",
    "localhost:PORT",
    "file://",
    "chrome-extension://abcdefghijklmnop",
    "vscode-webview://localhost:PORT",
    "http://user@localhost:PORT",
    "http://localhost:PORT http://evil.example",
    "*",
  ])("%j is refused", async (origin) => {
    expect(await statusOf(list, "Host: localhost:PORT", `Origin: ${origin}`)).toBe(403);
  });

  test("twice is refused, and no response has a header of CORS", async () => {
    const right = "Origin: http://localhost:PORT";
    expect(await statusOf(list, "Host: localhost:PORT", right, right)).toBe(403);
    const { head } = await sendRaw(server.port, lines(list, ...own("Host: localhost:PORT", right)));
    expect(head).not.toMatch(/access-control/i);
  });

  test("a preflight without --allow-origin is refused", async () => {
    const asked = ["Origin: http://localhost:PORT", "Access-Control-Request-Method: POST"];
    expect(await statusOf("OPTIONS /api/v1/things HTTP/1.1", "Host: localhost:PORT", ...asked)).toBe(405);
  });
});

describe("S6: the header Sec-Fetch-Site", () => {
  test.each([
    ["same-origin", 200],
    ["none", 200],
    ["cross-site", 403],
    ["same-site", 403],
    ["Same-Origin", 403],
    ["", 403],
    ["same-origin, cross-site", 403],
  ])("%j gives %i", async (site, status) => {
    expect(await statusOf(list, "Host: localhost:PORT", `Sec-Fetch-Site: ${site}`)).toBe(status);
  });

  test("twice is refused if one is foreign, and so is a navigation to the API", async () => {
    const host = "Host: localhost:PORT";
    expect(await statusOf(list, host, "Sec-Fetch-Site: none", "Sec-Fetch-Site: cross-site")).toBe(403);
    expect(await statusOf(list, host, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate")).toBe(403);
  });
});

describe("S7: a change", () => {
  const body = '{"name":"x"}';
  const post = async (...headers: readonly string[]) => {
    const before = recording.changes;
    const head = lines(
      "POST /api/v1/things HTTP/1.1",
      ...own("Host: localhost:PORT", ...headers, "Content-Length: 12"),
    );
    const { status } = await sendRaw(server.port, head + body);
    return { status, changed: recording.changes - before };
  };

  test.each([
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
  ])("with %s passes", async (type) => {
    expect(await post(`Content-Type: ${type}`)).toEqual({ status: 200, changed: 1 });
  });

  test.each([
    "",
    "text/plain",
    "text/plain; application/json",
    "text/plain;charset=application/json",
    "multipart/form-data; boundary=application/json",
    "application/x-www-form-urlencoded",
    "application/json+x",
    "application/jsonx",
    "application/json, text/plain",
    "application/json; charset=utf-7",
    "application/json; charset=utf-16",
    "application/json; a=b",
    "application/merge-patch+json",
    "*/*",
  ])("with the content type %j is refused", async (type) => {
    expect(await post(`Content-Type: ${type}`)).toEqual({ status: 415, changed: 0 });
  });

  test.each([
    ["no content type", []],
    ["two content types", ["Content-Type: application/json", "Content-Type: text/plain"]],
    ["a compressed body", ["Content-Type: application/json", "Content-Encoding: gzip"]],
  ])("with %s is refused", async (_what, headers) => {
    expect(await post(...headers)).toEqual({ status: 415, changed: 0 });
  });

  test.each(["GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "SEARCH", "QUERY", "PURGE", "LINK", "get", "Post", "FOO"])(
    "is never made by the method %s",
    async (method) => {
      const before = recording.changes;
      const type = "Content-Type: application/json";
      const override = ["X-HTTP-Method-Override: DELETE", "X-HTTP-Method: DELETE", "X-Method-Override: DELETE"];
      const head = lines(
        `${method} /api/v1/things/a?_method=DELETE HTTP/1.1`,
        ...own("Host: localhost:PORT", type, ...override),
      );
      const { status } = await sendRaw(server.port, head);
      expect([400, 405, 422]).toContain(status);
      expect(recording.changes).toBe(before);
    },
  );

  test("the body of a GET is refused, and 405 lists the methods of the path", async () => {
    const head = lines(list, ...own("Host: localhost:PORT", "Content-Type: application/json", "Content-Length: 12"));
    expect(await sendRaw(server.port, head + body)).toMatchObject({ status: 400 });
    const response = await server.fetch("/api/v1/things", { method: "DELETE", json: {} });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, POST"]);
  });
});

describe("S8: an upgrade", () => {
  const upgrade = ["Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="];

  test.each([
    ["of a foreign page", 403, ["Upgrade: websocket", "Host: localhost:PORT", "Origin: http://evil.example"]],
    ["to a foreign host", 421, ["Upgrade: websocket", "Host: evil.example"]],
    ["of the own page", 426, ["Upgrade: websocket", "Host: localhost:PORT", "Origin: http://localhost:PORT"]],
    ["to a protocol that nobody knows", 426, ["Upgrade: foo/2", "Host: localhost:PORT"]],
    ["to HTTP/2, which clients of Java offer, is ignored", 200, ["Upgrade: h2c", "Host: localhost:PORT"]],
  ])("%s gives %i, and never 101", async (_what, status, headers) => {
    expect(await statusOf(list, ...upgrade, ...headers)).toBe(status);
  });

  test("CONNECT is refused, and so is the preface of HTTP/2", async () => {
    expect(
      (await sendRaw(server.port, lines("CONNECT evil.example:443 HTTP/1.1", "Host: evil.example:443"))).status,
    ).toBe(400);
    expect([0, 400, 405]).toContain((await sendRaw(server.port, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")).status);
  });
});

describe("S12: paths and ids", () => {
  test.each([
    "http://localhost:PORT/api/v1/things",
    "http://evil.example/api/v1/things",
    "//evil.example/api/v1/things",
    "/\\evil.example",
    "/api/v1/things#x",
    "*",
    "api/v1/things",
    "/api/v1/thïngs",
  ])("the target %s is refused", async (target) => {
    expect(await statusOf(`GET ${target} HTTP/1.1`, "Host: localhost:PORT")).toBe(400);
  });

  test.each([
    ".",
    "..",
    "%2e",
    "%2E%2e",
    "..%2fthings",
    "%2e%2e%2fthings",
    "a%2fb",
    "a%5cb",
    "a%00",
    "%",
    "%zz",
    "%C0%AE",
    "%252e%252e",
    "a b".replace(" ", "%20"),
    "a%0d%0aX-Injected:%20x",
    "a;b",
    "a:b",
    "ä".normalize(),
    "%F0%9F%98%80",
    `${"a".repeat(129)}`,
    "~root",
    "a,b",
    "a'b",
    "a%22b",
    "%3Cscript%3E",
    "$(id)",
    "a|b",
    "..;",
    "a%20",
    "%ef%bb%bfa",
  ])("the id %s is refused", async (id) => {
    const before = recording.reads;
    expect([400, 404]).toContain(await statusOf(`GET /api/v1/things/${id} HTTP/1.1`, "Host: localhost:PORT"));
    expect(recording.reads).toBe(before);
  });

  test.each(["a", "A-1", "s_0.x", "a".repeat(128), "%61", "...", "-", "_"])("the id %s is taken", async (id) => {
    expect(await statusOf(`GET /api/v1/things/${id} HTTP/1.1`, "Host: localhost:PORT")).toBe(200);
  });

  test.each([
    "/",
    "/api",
    "/api/",
    "/api/v1",
    "/api/v1/",
    "/api/v1/things/",
    "/api/v1//things",
    "/api//v1/things",
    "/API/v1/things",
    "/api/v1/things/a/../b",
    "/api/v1/./things",
    "/api/v1/../v1/things",
    "/api/v1/%74hings/../x",
    "/api/v2/things",
    "/..%2f..%2fetc/passwd",
    "/.env",
    "/.git/config",
    "/.bridle/server.json",
    "/index.html",
    "/api/v1/things;x",
  ])("there is nothing at %s", async (path) => {
    expect(await statusOf(`GET ${path} HTTP/1.1`, "Host: localhost:PORT")).toBe(404);
  });
});
