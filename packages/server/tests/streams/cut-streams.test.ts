import fc from "fast-check";
import { expect, test } from "vitest";
import { openTestWorkspace } from "../../../app/tests/support/open-test-workspace.ts";
import { eventPageSchema, streamRoutes } from "../../src/streams/stream-routes.ts";
import { expectedMessages, readMessages, readUntil, type SentMessage } from "../support/read-stream.ts";
import { startTestServer, type TestServer } from "../support/start-test-server.ts";
import { beginSession, writeSession, writeText } from "../support/written-session.ts";

const accept = { accept: "text/event-stream" };

/** Reads at least this many bytes of a stream, cuts it, and returns the complete messages. */
async function readBytes(server: TestServer, lastId: string | undefined, bytes: number): Promise<SentMessage[]> {
  const cut = new AbortController();
  const headers = { ...accept, ...(lastId !== undefined && { "last-event-id": lastId }) };
  const response = await server.fetch("/api/v1/sessions/s/events", { headers, signal: cut.signal });
  let left = bytes;
  const limited = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk.subarray(0, left));
        left -= chunk.length;
        if (left <= 0) controller.terminate();
      },
    }),
  );
  const seen: SentMessage[] = [];
  for await (const message of readMessages(new Response(limited))) seen.push(message);
  cut.abort();
  return seen;
}

test("a stream that is cut at 200 random places while it is written, and resumed, equals the log byte for byte", async () => {
  const { workspace } = await openTestWorkspace();
  const server = await startTestServer({ routes: streamRoutes, workspace });
  const writer = await beginSession(workspace.eventLog, "s");
  const cuts = fc.sample(fc.oneof(fc.integer({ min: 20, max: 400 }), fc.integer({ min: 400, max: 6000 })), 200);
  const seen: SentMessage[] = [];
  const writing = setInterval(() => writeText(writer, "s", 10), 10); // so that there are always more data
  for (const bytes of cuts) seen.push(...(await readBytes(server, seen.at(-1)?.id, bytes)));
  clearInterval(writing);
  await writer.close();
  const events = await workspace.eventLog.read({ sessionId: "s" });
  const last = String(events.length);
  const headers = { ...accept, ...(seen.length > 0 && { "last-event-id": seen.at(-1)?.id ?? "" }) };
  if (seen.at(-1)?.id !== last) {
    const rest = await server.fetch("/api/v1/sessions/s/events", { headers });
    seen.push(...(await readUntil(rest, ({ id }) => id === last)));
  }
  expect(seen).toEqual(expectedMessages(events));
});

test("pages of JSON are the same events, and say where the session ends", async () => {
  const { workspace } = await openTestWorkspace();
  const server = await startTestServer({ routes: streamRoutes, workspace });
  await writeSession(workspace.eventLog, "s", 450);
  const events = await workspace.eventLog.read({ sessionId: "s" });
  const paged: unknown[] = [];
  for (let after = 0; after < events.length; after = paged.length) {
    const response = await server.fetch(`/api/v1/sessions/s/events?after=${after}`);
    const page = eventPageSchema.parse(await response.json());
    expect(page.lastSeq).toBe(events.length);
    paged.push(...page.events);
  }
  expect(paged).toEqual(events);
  const limited = await (await server.fetch("/api/v1/sessions/s/events?after=3&limit=2")).json();
  expect(limited).toEqual({ events: events.slice(3, 5), lastSeq: events.length });
});

test.each([
  ["an unknown session", "/sessions/missing/events", {}, 404, "no-such-session"],
  ["an unknown session among others", "/stream?sessions=s,missing", {}, 404, "no-such-session"],
  ["a place that the session does not have", "/sessions/s/events?after=99", {}, 409, "place-unknown"],
  ["a Last-Event-ID of another stream", "/sessions/s/events", { "last-event-id": "a:1" }, 422, "invalid_request"],
  ["a number that is none", "/sessions/s/events?after=-1", {}, 422, undefined],
  ["too large a page", "/sessions/s/events?limit=1001", {}, 422, undefined],
  ["a stream of nothing", "/stream", {}, 422, "invalid_request"],
  ["a session that is named twice", "/stream?sessions=s:1,s:2", {}, 422, "invalid_request"],
  ["a place that is none", "/stream?sessions=s:x", {}, 422, "invalid_request"],
  ["an unknown topic", "/stream?topics=weather", {}, 422, "invalid_request"],
])("%s is refused", async (_title, path, headers, status, code) => {
  const { workspace } = await openTestWorkspace();
  const server = await startTestServer({ routes: streamRoutes, workspace });
  await writeSession(workspace.eventLog, "s", 3);
  const response = await server.fetch(`/api/v1${path}`, { headers: { ...accept, ...headers } });
  const problem = await response.text();
  expect(response.status, problem).toBe(status);
  if (code !== undefined) expect(JSON.parse(problem).type).toMatch(new RegExp(`/${code}$`));
});
