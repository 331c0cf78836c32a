import { once } from "node:events";
import { ConfigError, StoreBusyError, UsageLimitError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { defineRoute, type Route } from "../../src/http/route.ts";
import { startTestServer } from "../support/start-test-server.ts";

const echo = defineRoute({
  method: "POST",
  path: "/things/{thing}/echo",
  summary: "Echo.",
  role: "operator",
  query: z.strictObject({ limit: z.coerce.number().int().max(5).optional() }),
  body: z.strictObject({ prompt: z.string(), options: z.strictObject({ timeLimit: z.number() }).optional() }),
  replies: { 200: z.unknown() },
  handle: async ({ names, query, body, caller }) => ({ status: 200, body: { names, query, body, caller } }),
});

function failing(error: unknown): Route {
  const handle = () => Promise.reject(error);
  return { method: "GET", path: "/fails", summary: "Fails.", role: "viewer", replies: {}, handle };
}

test("a route gets its names, query, body and caller", async () => {
  const { fetch } = await startTestServer({ routes: [echo] });
  const response = await fetch("/api/v1/things/a.b-1/echo?limit=3", { method: "POST", json: { prompt: "hi" } });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    names: { thing: "a.b-1" },
    query: { limit: 3 },
    body: { prompt: "hi" },
    caller: { name: "tests", role: "operator", address: "127.0.0.1" },
  });
});

test("an unknown field is refused with its pointer and the nearest name, and so is an unknown parameter", async () => {
  const { fetch } = await startTestServer({ routes: [echo] });
  const inBody = await fetch("/api/v1/things/a/echo", {
    method: "POST",
    json: { prmpt: "hi", options: { timelimit: 1, timeLimit: 1 } },
  });
  expect(inBody.status).toBe(422);
  expect(inBody.headers.get("content-type")).toBe("application/problem+json");
  expect(await inBody.json()).toMatchObject({
    code: "invalid-input",
    status: 422,
    instance: "/api/v1/things/a/echo",
    errors: [
      { pointer: "/prompt", message: "invalid input: expected string, received undefined" },
      { pointer: "/options/timelimit", message: 'is unknown here. Did you mean "timeLimit"?' },
      { pointer: "/prmpt", message: 'is unknown here. Did you mean "prompt"?' },
    ],
  });
  const inQuery = await fetch("/api/v1/things/a/echo?limt=3", { method: "POST", json: { prompt: "" } });
  expect(await inQuery.json()).toMatchObject({
    errors: [{ parameter: "limt", message: 'is unknown here. Did you mean "limit"?' }],
  });
  const twice = await fetch("/api/v1/things/a/echo?limit=3&limit=4", { method: "POST", json: { prompt: "" } });
  expect(await twice.json()).toMatchObject({ errors: [{ parameter: "limit", message: "occurs twice" }] });
});

test.each([
  [new ConfigError("No."), 422, "config", {}],
  [new StoreBusyError("Busy.", "x", { holder: "the process 7" }), 409, "store_busy", { holder: "the process 7" }],
  [new StoreBusyError("Busy.", "x"), 503, "store_busy", { retryable: true }],
  [
    new UsageLimitError("Used.", { resetsAt: new Date(0) }),
    429,
    "usage_limit",
    { resetsAt: "1970-01-01T00:00:00.000Z" },
  ],
])("%s becomes the status %i with the code %s", async (error, status, code, members) => {
  const { fetch } = await startTestServer({ routes: [failing(error)] });
  const response = await fetch("/api/v1/fails");
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ code, detail: error.message, ...members });
});

test("an error that nobody expected is a 500 without its text, which is in the log", async () => {
  const logged: object[] = [];
  const logger = { debug() {}, info() {}, warn() {}, error: (fields: object) => void logged.push(fields) };
  const { fetch } = await startTestServer({ routes: [failing(new Error("secret detail"))], logger });
  const response = await fetch("/api/v1/fails");
  expect(response.status).toBe(500);
  expect(await response.text()).not.toMatch(/secret|stack|\.ts/);
  expect(JSON.stringify(logged.map((each) => String(Object.values(each)[0])))).toContain("secret detail");
});

test("work that a client leaves, and that ends for this reason, is no failure in the log, but another error is", async () => {
  const logged: string[] = [];
  const log = (fields: object) => void logged.push(String(Reflect.get(fields, "error")));
  const logger = { debug() {}, info() {}, warn() {}, error: log };
  let begun = 0;
  const waiting = (path: string, errorOf: (reason: unknown) => unknown): Route => ({
    method: "GET",
    path,
    summary: "Waits.",
    role: "viewer",
    replies: {},
    async handle({ signal }) {
      begun += 1;
      await once(signal, "abort");
      throw errorOf(signal.reason);
    },
  });
  const routes = [waiting("/ends", (reason) => reason), waiting("/fails", () => new Error("the disk is gone"))];
  const { fetch } = await startTestServer({ routes, logger });
  for (const [index, path] of ["/api/v1/ends", "/api/v1/fails"].entries()) {
    const leaving = new AbortController();
    const response = fetch(path, { signal: leaving.signal });
    await expect.poll(() => begun).toBe(index + 1);
    leaving.abort();
    await expect(response).rejects.toThrow();
  }
  await expect.poll(() => logged).toEqual(["Error: the disk is gone"]);
});

test("a stream is sent as it is yielded, and its signal is aborted when the reader is gone", async () => {
  let onLeft = () => {};
  const left = new Promise<void>((resolve) => {
    onLeft = resolve;
  });
  const ticks: Route = {
    method: "GET",
    path: "/ticks",
    summary: "Ticks.",
    role: "viewer",
    replies: { 200: null },
    streams: () => true,
    handle: async ({ signal }) => ({
      status: 200,
      contentType: "text/event-stream",
      stream: (async function* () {
        yield "data: 1\n\n";
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
        onLeft();
      })(),
    }),
  };
  const { fetch } = await startTestServer({ routes: [ticks] });
  const response = await fetch("/api/v1/ticks");
  expect(response.headers.get("x-accel-buffering")).toBe("no");
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("data: 1\n\n");
  await reader?.cancel();
  await left;
});
