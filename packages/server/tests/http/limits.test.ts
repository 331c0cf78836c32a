import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import type { Route } from "../../src/http/route.ts";
import { RecordingRoutes } from "../support/recording-routes.ts";
import { lines, sendRaw } from "../support/send-raw.ts";
import { startTestServer } from "../support/start-test-server.ts";

function post({ port, token }: { port: number; token: string }, ...headers: readonly string[]): string {
  const common = [`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`, "Content-Type: application/json"];
  return lines("POST /api/v1/things HTTP/1.1", ...common, ...headers);
}

test("S14: a body of more than the limit is refused by its announced and by its real length", async () => {
  const recording = new RecordingRoutes();
  const server = await startTestServer({ routes: recording.routes });
  const announced = await sendRaw(server.port, post(server, "Content-Length: 20000000"));
  expect(announced.status).toBe(413);
  expect(announced.head).toMatch(/connection: close/i);
  const chunk = `${(65_536).toString(16)}\r\n${" ".repeat(65_536)}\r\n`;
  const chunked = post(server, "Transfer-Encoding: chunked") + chunk.repeat(17);
  expect((await sendRaw(server.port, chunked)).status).toBe(413);
  const largest = JSON.stringify({ name: "x".repeat(1_048_576 - 11) });
  expect((await sendRaw(server.port, post(server, "Content-Length: 1048576") + largest)).status).toBe(200);
  expect(recording.changes).toBe(1);
});

test("S14: headers of more than 16 KiB are refused, also as many small ones", async () => {
  const server = await startTestServer({ routes: new RecordingRoutes().routes });
  const large = await sendRaw(server.port, post(server, `X-Large: ${"x".repeat(17_000)}`));
  expect(large.status).toBe(431);
  expect(JSON.parse(large.body)).toMatchObject({ code: "headers-too-large", status: 431 });
  const many = Array.from({ length: 3000 }, (_, index) => `X-${index}: 1`);
  expect((await sendRaw(server.port, post(server, ...many))).status).toBe(431);
});

test.each([
  ["its headers", "GET /api/v1/things HTTP/1.1\r\nHost: x\r\n"],
  ["its body", ""],
])("S14: a client that does not send %s in time is refused", async (_what, begin) => {
  const server = await startTestServer({
    routes: new RecordingRoutes().routes,
    limits: { headersMs: 300, requestMs: 600 },
  });
  const text = begin === "" ? `${post(server, "Content-Length: 12")}{"na` : begin;
  expect((await sendRaw(server.port, text)).status).toBe(408);
});

test.each([
  ["sends nothing", ""],
  ["sends a part of its headers", "GET /api/v1/things HTTP/1.1\r\nHost: x\r\n"],
])("S14: a connection that %s is closed in time, even if its client keeps it open", async (_what, begin) => {
  const server = await startTestServer({ limits: { headersMs: 300, requestMs: 600 } });
  const before = openSockets();
  const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
  socket.resume();
  socket.write(begin);
  await once(socket, "end");
  await expect.poll(openSockets, { timeout: 5000 }).toBe(before + 1); // the client's side of the connection
  socket.destroy();
});

/** Counts the sockets of this process. They include both sides of each connection to a test server. */
function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
}

test.each([
  ["a length and chunks", ["Content-Length: 5", "Transfer-Encoding: chunked"], "0\r\n\r\n"],
  ["two lengths", ["Content-Length: 2", "Content-Length: 12"], '{"name":"x"}'],
  ["a negative length", ["Content-Length: -1"], ""],
  ["a length that is no number", ["Content-Length: 0x2"], "{}"],
  ["a length with a sign", ["Content-Length: +2"], "{}"],
  ["another transfer encoding", ["Transfer-Encoding: gzip"], ""],
  ["chunks after another encoding", ["Transfer-Encoding: chunked, gzip"], ""],
  ["a chunk without a size", ["Transfer-Encoding: chunked"], "zz\r\n{}\r\n0\r\n\r\n"],
  ["a header without a name", [": x", "Content-Length: 2"], "{}"],
  ["a header with a bare line feed", ["A: b\nHost: evil.example", "Content-Length: 2"], "{}"],
  ["a header with a zero byte", ["A: \0", "Content-Length: 2"], "{}"],
])("a request with %s is not taken for two (request smuggling)", async (_what, headers, body) => {
  const recording = new RecordingRoutes();
  const server = await startTestServer({ routes: recording.routes });
  const response = await sendRaw(server.port, post(server, ...headers) + body);
  expect([400, 408, 413, 421]).toContain(response.status);
  expect(recording.changes).toBe(0);
});

test.each([
  ["no JSON", "{", 400],
  ["a single quote", "'", 400],
  ["nothing", "", 422],
  ["null", "null", 422],
  ["a list", "[]", 422],
  ["a number", "1e999", 422],
  ["bytes that are not UTF-8", '{"name":"\xff"}', 400],
  ["lists that are never closed", "[".repeat(100_000), 400],
  ["half a million lists in each other", `${"[".repeat(500_000)}${"]".repeat(500_000)}`, 422],
  ["a hundred thousand objects in each other", `${'{"name":'.repeat(100_000)}1${"}".repeat(100_000)}`, 422],
  ["half a million lists beside each other", `[${"[],".repeat(300_000)}[]]`, 422],
  ["__proto__", '{"__proto__":{"isAdmin":true}}', 422],
  ["a field twice, of which the last counts", '{"name":1,"name":"x"}', 200],
  ["a byte order mark", "\xef\xbb\xbf{}", 200],
])("a body of %s is answered with a status that says so", async (_what, body, status) => {
  const server = await startTestServer({ routes: new RecordingRoutes().routes });
  const bytes = Buffer.from(body, "latin1");
  const text = Buffer.concat([Buffer.from(post(server, `Content-Length: ${bytes.length}`)), bytes]);
  expect((await sendRaw(server.port, text)).status).toBe(status);
});

test("a client that expects 100-continue is asked for its body only if its headers are accepted", async () => {
  const server = await startTestServer({ routes: new RecordingRoutes().routes });
  const accepted = await sendRaw(server.port, post(server, "Expect: 100-continue", "Content-Length: 2"));
  expect(accepted.status).toBe(100);
  const refused = post({ ...server, token: "wrong" }, "Expect: 100-continue", "Content-Length: 2");
  expect((await sendRaw(server.port, refused)).status).toBe(401);
});

/** Creates a route with a stream that continues until its reader disconnects. */
function endless(part: string, onEnd: () => void = () => {}): Route {
  return {
    method: "GET",
    path: "/endless",
    summary: "Endless.",
    role: "viewer",
    replies: { 200: null },
    streams: () => true,
    handle: async ({ signal }) => ({
      status: 200,
      contentType: "text/event-stream",
      stream: (async function* () {
        try {
          while (!signal.aborted) {
            yield part;
            await new Promise((resolve) => setTimeout(resolve, part.length > 100 ? 0 : 20));
          }
          yield "bye";
        } finally {
          onEnd();
        }
      })(),
    }),
  };
}

test("S14: more streams than the limit get a problem that says so, and a closed one makes room", async () => {
  let ended = 0;
  const { fetch } = await startTestServer({ routes: [endless("x", () => (ended += 1))], limits: { streams: 3 } });
  const first = await fetch("/api/v1/endless");
  await fetch("/api/v1/endless");
  const refused = await fetch("/api/v1/endless");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await refused.json()).toMatchObject({ code: "too-many-streams", limit: 2 });
  await first.body?.cancel();
  await expect.poll(async () => (await fetch("/api/v1/endless")).status).toBe(200);
  expect(ended).toBeGreaterThanOrEqual(1);
});

test("a reader that takes nothing is closed, and the stream asks for nothing meanwhile", async () => {
  let produced = 0;
  let ended = 0;
  const part = "x".repeat(1_000_000);
  const route = endless(part, () => (ended += 1));
  const counting: Route = {
    ...route,
    async handle(request) {
      const reply = await route.handle(request);
      const { stream = [] } = reply;
      const counted = async function* () {
        for await (const each of stream) {
          produced += 1;
          yield each;
        }
      };
      return { ...reply, stream: counted() };
    },
  };
  const server = await startTestServer({ routes: [counting], limits: { stalledMs: 300 } });
  const socket = connect(server.port, "127.0.0.1");
  const authorization = `Authorization: Bearer ${server.token}`;
  socket.write(lines("GET /api/v1/endless HTTP/1.1", `Host: 127.0.0.1:${server.port}`, authorization));
  socket.pause();
  await expect.poll(() => ended, { timeout: 10_000 }).toBe(1);
  expect(produced).toBeLessThan(50);
  socket.destroy();
});

test("streams learn that the server ends, and send their last part before it is closed", async () => {
  const server = await startTestServer({ routes: [endless("x")] });
  const response = await server.fetch("/api/v1/endless");
  await server.close();
  expect(await response.text()).toMatch(/^x+bye$/);
});

test("a request that may begin something is refused before it begins, if there is no place for its stream", async () => {
  let begun = 0;
  const beginning: Route = {
    method: "POST",
    path: "/begin",
    summary: "Begins.",
    role: "operator",
    replies: { 200: null },
    streams: () => true,
    handle: async () => {
      begun += 1;
      return { status: 200, contentType: "text/event-stream", stream: (async function* () {})() };
    },
  };
  const { fetch } = await startTestServer({ routes: [endless("x"), beginning], limits: { streams: 1 } });
  const first = await fetch("/api/v1/endless");
  expect((await fetch("/api/v1/begin", { method: "POST", json: {} })).status).toBe(503);
  expect(begun).toBe(0);
  await first.body?.cancel();
  await expect.poll(async () => (await fetch("/api/v1/begin", { method: "POST", json: {} })).status).toBe(200);
  expect(begun).toBe(1);
});

test("a stream that ends before its reader sees it has still closed what it opened", async () => {
  let ended = 0;
  const route: Route = {
    method: "GET",
    path: "/broken",
    summary: "Has a bad header.",
    role: "viewer",
    replies: { 200: null },
    streams: () => true,
    handle: async () => ({
      status: 200,
      headers: { "x-bad": "a\nb" },
      stream: (async function* () {
        try {
          yield "never";
        } finally {
          ended += 1;
        }
      })(),
    }),
  };
  const { fetch } = await startTestServer({ routes: [route] });
  await expect(fetch("/api/v1/broken")).rejects.toThrow();
  expect(ended).toBe(1);
});

test("an error of a stream is in the log of the server, and that its reader has left is not", async () => {
  const logged: string[] = [];
  const log = (fields: object) => void logged.push(String(Reflect.get(fields, "error")));
  const failing: Route = {
    method: "GET",
    path: "/failing",
    summary: "Fails.",
    role: "viewer",
    replies: { 200: null },
    streams: () => true,
    handle: async ({ signal }) => ({
      status: 200,
      contentType: "text/event-stream",
      stream: (async function* () {
        yield "first";
        await new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => resolve());
          setTimeout(resolve, 200);
        });
        throw new Error("the log is locked");
      })(),
    }),
  };
  const logger = { debug() {}, info() {}, warn() {}, error: log };
  const { fetch } = await startTestServer({ routes: [failing], logger });
  const left = await fetch("/api/v1/failing");
  await left.body?.cancel();
  await expect((await fetch("/api/v1/failing")).text()).rejects.toThrow();
  expect(logged).toEqual(["Error: the log is locked"]);
});

/** A route with a complete reply of one megabyte. */
const large: Route = {
  method: "GET",
  path: "/large",
  summary: "Is large.",
  role: "viewer",
  replies: { 200: null },
  handle: async () => ({ status: 200, contentType: "text/plain", body: "x".repeat(20_000_000) }),
};

test("a whole reply whose reader takes nothing is closed, and does not fill the memory meanwhile", async () => {
  const server = await startTestServer({ routes: [large], limits: { stalledMs: 400, unreadBytes: 30_000_000 } });
  const socket = connect(server.port, "127.0.0.1");
  const closed = once(socket, "close");
  const authorization = `Authorization: Bearer ${server.token}`;
  socket.write(lines("GET /api/v1/large HTTP/1.1", `Host: 127.0.0.1:${server.port}`, authorization));
  await once(socket, "readable"); // the reply has started, and the client reads nothing of it
  const refused = await server.fetch("/api/v1/large");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await refused.json()).toMatchObject({ code: "unread-replies" });
  await expect.poll(async () => (await server.fetch("/api/v1/large")).status, { timeout: 10_000 }).toBe(200);
  socket.resume();
  await closed;
});
