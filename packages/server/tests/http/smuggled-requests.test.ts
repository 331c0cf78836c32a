import { connect } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { RecordingRoutes } from "../support/recording-routes.ts";
import { lines, sendRaw } from "../support/send-raw.ts";
import { startSharedServer, type TestServer } from "../support/start-test-server.ts";

const recording = new RecordingRoutes();
let server: TestServer;
const getServer = startSharedServer({ routes: recording.routes, limits: { headersMs: 1000, requestMs: 1000 } });
beforeAll(async () => {
  server = await getServer();
});

const json = "Content-Type: application/json";
const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";

function own(...headers: readonly string[]): string[] {
  return [`Host: 127.0.0.1:${server.port}`, `Authorization: Bearer ${server.token}`, ...headers];
}

/** Creates a complete request that changes something, with the token, to smuggle it in the body of another request. */
function hidden(): string {
  return lines("DELETE /api/v1/things/hidden HTTP/1.1", ...own(json));
}

/** Sends bytes, and reads everything until the server closes the connection. */
function exchange(bytes: string | Buffer): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  return new Promise((resolve) => {
    let text = "";
    socket.setEncoding("latin1").on("data", (data) => {
      text += data;
    });
    socket.on("error", () => {});
    socket.once("close", () => resolve(text));
    socket.write(bytes);
  });
}

function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

describe.concurrent("of two requests in one, the second is never answered", () => {
  test.each([
    ["a length and chunks", ["Content-Length: 4", "Transfer-Encoding: chunked"], "0\r\n\r\n"],
    ["chunks and a length", ["Transfer-Encoding: chunked", "Content-Length: 4"], "0\r\n\r\n"],
    ["chunks in capitals, and a length", ["Transfer-Encoding: CHUNKED", "Content-Length: 4"], "0\r\n\r\n"],
    ["chunks twice", ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked", "Content-Length: 4"], "0\r\n\r\n"],
    ["chunks, then identity", ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], "0\r\n\r\n"],
    ["identity, then chunks", ["Transfer-Encoding: identity, chunked", "Content-Length: 4"], "0\r\n\r\n"],
    ["chunks with a tab before them", ["Transfer-Encoding:\tchunked", "Content-Length: 4"], "0\r\n\r\n"],
    ["a space before the colon", ["Transfer-Encoding : chunked", "Content-Length: 4"], "0\r\n\r\n"],
    ["a folded encoding", ["Transfer-Encoding:", " chunked", "Content-Length: 4"], "0\r\n\r\n"],
    ["an encoding with a vertical tab", ["Transfer-Encoding: \x0bchunked", "Content-Length: 4"], "0\r\n\r\n"],
    ["an encoding in quotes", ['Transfer-Encoding: "chunked"', "Content-Length: 4"], "0\r\n\r\n"],
    ["a wrong spelling of chunks", ["Transfer-Encoding: xchunked", "Content-Length: 4"], "0\r\n\r\n"],
    ["a header name with an underscore", ["Transfer_Encoding: chunked", "Content-Length: 100"], "0\r\n\r\n"],
    ["two lengths", ["Content-Length: 0", "Content-Length: 100"], ""],
    ["two lengths in one header", ["Content-Length: 0, 100"], ""],
    ["two equal lengths", ["Content-Length: 2", "Content-Length: 2"], "{}"],
    ["a length with a space in it", ["Content-Length: 1 2"], "{}"],
    ["a length with an underscore", ["Content-Length: 1_0"], "{}"],
    ["a length of 2^64", ["Content-Length: 18446744073709551616"], "{}"],
    ["a length that is not ASCII", ["Content-Length: \u00b2"], "{}"],
    ["a chunk with a sign", ["Transfer-Encoding: chunked"], "+2\r\n{}\r\n0\r\n\r\n"],
    ["a chunk with 0x", ["Transfer-Encoding: chunked"], "0x2\r\n{}\r\n0\r\n\r\n"],
    ["a chunk of 2^64 bytes", ["Transfer-Encoding: chunked"], "10000000000000000\r\n{}\r\n0\r\n\r\n"],
    ["a chunk that is longer than it says", ["Transfer-Encoding: chunked"], '2\r\n{"a":1}\r\n0\r\n\r\n'],
    ["a chunk that ends with a bare line feed", ["Transfer-Encoding: chunked"], "2\n{}\n0\n\n"],
    ["a chunk that ends with nothing", ["Transfer-Encoding: chunked"], "2\r\n{}0\r\n\r\n"],
  ])("%s", async (_what, headers, body) => {
    const before = recording.changes;
    const first = lines("POST /api/v1/things HTTP/1.1", ...own(json, ...headers));
    const statuses = statusesOf(await exchange(Buffer.from(`${first}${body}${hidden()}`, "latin1")));
    expect(statuses).toHaveLength(1);
    expect([400, 408, 413, 422]).toContain(statuses[0]);
    expect(recording.changes).toBe(before);
  });

  test.each([
    ["a GET with a body", "GET /api/v1/things HTTP/1.1", 400],
    ["a DELETE without the right type", "DELETE /api/v1/things/a HTTP/1.1", 415],
    ["a path that is not there", "POST /api/v1/nothing HTTP/1.1", 404],
    ["a method that is not there", "QUERY /api/v1/things HTTP/1.1", 405],
    ["a target that is none", "POST //evil.example HTTP/1.1", 400],
  ])("the body of %s is not taken for the next request", async (_what, first, status) => {
    const before = recording.changes;
    const body = hidden();
    const type = status === 415 ? "Content-Type: text/plain" : json;
    const statuses = statusesOf(await exchange(lines(first, ...own(type, `Content-Length: ${body.length}`)) + body));
    expect(statuses).toEqual([status]);
    expect(recording.changes).toBe(before);
  });

  test("what follows an upgrade without a token, which is refused, is no other protocol", async () => {
    const frame = "\x81\x05hello";
    const head = [`Host: 127.0.0.1:${server.port}`, "Connection: Upgrade", "Upgrade: websocket", key];
    const text = await exchange(Buffer.from(lines("GET /api/v1/stream HTTP/1.1", ...head) + frame, "latin1"));
    expect(statusesOf(text)[0]).toBe(426);
    expect(text).not.toMatch(/ 101 /);
  });

  test("the body of a request with a wrong token is not, either", async () => {
    const body = hidden();
    const head = own(json, `Content-Length: ${body.length}`).map((line) => line.replace("Bearer ", "Bearer x"));
    const statuses = statusesOf(await exchange(lines("POST /api/v1/things HTTP/1.1", ...head) + body + hidden()));
    expect(statuses).toEqual([401]);
  });
});

test("requests that are sent ahead are answered in their order, each with its own checks", async () => {
  const before = recording.changes;
  const list = (...more: string[]) => lines("GET /api/v1/things HTTP/1.1", ...own(...more));
  const foreign = lines("GET /api/v1/things HTTP/1.1", "Host: evil.example", `Authorization: Bearer ${server.token}`);
  const anonymous = lines("DELETE /api/v1/things/a HTTP/1.1", `Host: 127.0.0.1:${server.port}`, json);
  const text = await exchange(list() + foreign + anonymous + list("Origin: null") + list("Connection: close"));
  expect(statusesOf(text)).toEqual([200, 421, 401, 403, 200]);
  expect(recording.changes).toBe(before);
});

test("five hundred requests that are sent ahead are all answered", async () => {
  const one = lines("GET /api/v1/things HTTP/1.1", ...own());
  const last = lines("GET /api/v1/things HTTP/1.1", ...own("Connection: close"));
  expect(statusesOf(await exchange(one.repeat(499) + last))).toHaveLength(500);
});

describe("another version of HTTP", () => {
  test.each([
    ["GET /api/v1/things HTTP/1.0", [200]],
    ["GET /api/v1/things HTTP/0.9", [505]],
    ["GET /api/v1/things HTTP/2.0", [505]],
    ["GET /api/v1/things HTTP/1.2", [400]],
    ["GET /api/v1/things http/1.1", [400]],
    ["GET /api/v1/things", [505]],
    ["GET  /api/v1/things HTTP/1.1", [200]],
    ["GET /api/v1/things  HTTP/1.1", [200]],
    ["GET\t/api/v1/things HTTP/1.1", [400]],
    ["GET /api/v1/things HTTP/1.1 x", [400]],
    [" GET /api/v1/things HTTP/1.1", [400]],
    ["get /api/v1/things HTTP/1.1", [400]],
    ["G\u00c9T /api/v1/things HTTP/1.1", [400]],
  ])("%j", async (first, statuses) => {
    expect(statuses).toContain((await sendRaw(server.port, lines(first, ...own("Connection: close")))).status);
  });

  test.each(["Host: 127.0.0.1:PORT", ""])("HTTP/1.0 has the same checks, with the header %j", async (host) => {
    const known = host.replace("PORT", `${server.port}`);
    const anonymous = lines("GET /api/v1/things HTTP/1.0", ...(known === "" ? [] : [known]));
    expect((await sendRaw(server.port, anonymous)).status).toBe(known === "" ? 400 : 401);
  });
});

describe("an upgrade or a method of a proxy", () => {
  test.each([
    ["two protocols of which one is harmless", ["Connection: Upgrade", "Upgrade: h2c, websocket", key], 426],
    ["two headers of which one is harmless", ["Connection: Upgrade", "Upgrade: h2c", "Upgrade: websocket", key], 426],
    ["HTTP/2 with its settings", ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMA"], 200],
    ["TLS", ["Connection: Upgrade", "Upgrade: TLS/1.0"], 426],
    ["a name in capitals", ["Connection: upgrade", "Upgrade: WebSocket", key], 426],
    ["a page of another site", ["Connection: Upgrade", "Upgrade: websocket", "Origin: http://evil.example"], 403],
  ])("to %s is no upgrade", async (_what, headers, status) => {
    const text = await exchange(lines("GET /api/v1/things HTTP/1.1", ...own(...headers, "Connection: close")));
    expect(statusesOf(text)).toEqual([status]);
  });

  test.each(["TRACE", "TRACK", "DEBUG", "PROPFIND", "MOVE", "COPY", "LOCK", "M-SEARCH", "SUBSCRIBE", "REPORT"])(
    "%s is refused, and repeats nothing of the request",
    async (method) => {
      const text = await exchange(lines(`${method} /api/v1/things HTTP/1.1`, ...own("X-A: y", "Connection: close")));
      expect([400, 405]).toContain(statusesOf(text)[0]);
      expect(text).not.toContain(server.token);
    },
  );

  test.each(["127.0.0.1:22", "evil.example:443", "*", "/api/v1/things"])("CONNECT %s opens no tunnel", async (to) => {
    const text = await exchange(lines(`CONNECT ${to} HTTP/1.1`, ...own()) + hidden());
    expect([400, 405]).toContain(statusesOf(text)[0]);
    expect(text).not.toMatch(/^HTTP\/1\.1 2/m);
  });

  test("Expect gets one answer at last, whatever its value", async () => {
    const before = recording.changes;
    const values = ["100-continue", "200-ok", "100-Continue, x", ""];
    await Promise.all(
      values.map(async (value) => {
        const head = lines("POST /api/v1/things HTTP/1.1", ...own(json, `Expect: ${value}`, "Content-Length: 2"));
        const statuses = statusesOf(await exchange(`${head}{}`)).filter((status) => status !== 100);
        expect(statuses, value).toHaveLength(1);
        expect([200, 417], value).toContain(statuses[0]);
      }),
    );
    expect(recording.changes - before).toBeLessThanOrEqual(values.length);
  });
});
