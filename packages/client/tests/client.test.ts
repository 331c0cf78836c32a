import { setTimeout } from "node:timers/promises";
import type { RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { startApi, type TestApi, untilAsked, untilEnd } from "../../server/tests/support/start-api.ts";
import { BridleClient, BridleRequestError, PlacedTranscript } from "../src/index.ts";

async function openClient(fetch?: typeof globalThis.fetch, quietMs?: number) {
  const api = await startApi();
  const { url, token } = api.server;
  return { api, client: new BridleClient({ url, token, fetch, quietMs }) };
}

test("a client starts a run, follows it with an answered question, and its transcript is that of the server", async () => {
  const { api, client } = await openClient();
  const { runId, firstSeq } = await client.start("one", { prompt: "Where is my order?" });
  const transcript = new PlacedTranscript();
  for await (const event of client.follow("one", { after: firstSeq - 1 })) {
    transcript.add(event);
    if (event.type === "approval.requested") {
      await client.answer(event.approvalId, { inputHash: event.inputHash, decision: "allow" });
    }
    if (event.type === "run.finished") break;
  }
  expect(transcript.entries()).toEqual(await client.transcript("one"));
  expect(await client.run(runId)).toMatchObject({ stopReason: "natural", session: "one" });
  expect((await client.events("one")).events).toEqual(await api.workspace.eventLog.read({ sessionId: "one" }));
});

test("a transcript of the middle of a run continues with the events after it", async () => {
  const { api, client } = await openClient();
  await api.run("one", "Hi.");
  const events = await api.workspace.eventLog.read({ sessionId: "one" });
  const whole = await client.transcript("one");
  for (const { seq } of events) {
    const transcript = new PlacedTranscript(await client.transcript("one", seq));
    expect(transcript.seq).toBe(seq);
    for (const event of events) transcript.add(event); // events that the transcript already has do not count again
    expect(transcript.entries()).toEqual(whole);
  }
});

test("events that are followed over a connection that breaks again and again are those of the log, each once", async () => {
  let cuts = 0;
  const { api, client } = await openClient(async (input, init) => {
    const response = await fetch(input, init);
    if (cuts >= 6 || !response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
    cuts += 1;
    return new Response(cutAfter(response.body, 137 * cuts), response);
  });
  await api.run("one", "Hi.");
  await api.run("one", "Hi again.");
  const log = await api.workspace.eventLog.read({ sessionId: "one" });
  const connections: boolean[] = [];
  const seen: RunEvent[] = [];
  for await (const event of client.follow("one", { onConnection: (isOpen) => connections.push(isOpen) })) {
    seen.push(event);
    if (event.seq === log.length) break;
  }
  expect(seen).toEqual(log);
  expect(cuts).toBe(6);
  expect(connections.filter((isOpen) => !isOpen).length).toBe(6);
});

test("one stream of two sessions and a topic over a connection that breaks again and again has each event once", async () => {
  let cuts = 0;
  const { api, client } = await openClient(async (input, init) => {
    const response = await fetch(input, init);
    if (cuts >= 5 || !response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
    cuts += 1;
    return new Response(cutAfter(response.body, 300 * cuts), response);
  });
  for (const id of ["one", "two"]) for (const prompt of ["Hi.", "Hi again."]) await api.run(id, prompt);
  const logs = await Promise.all(["one", "two"].map((sessionId) => api.workspace.eventLog.read({ sessionId })));
  const left = new Set(logs.flat().map(({ sessionId, seq }) => `${sessionId} ${seq}`));
  const seen: RunEvent[] = [];
  let hasRuns = false;
  for await (const { event, data } of client.stream({ sessions: { one: 0, two: 0 }, topics: ["runs"] })) {
    if (event === "runs") hasRuns = true;
    else seen.push(JSON.parse(data));
    left.delete(`${seen.at(-1)?.sessionId} ${seen.at(-1)?.seq}`);
    if (left.size === 0 && hasRuns) break;
  }
  expect(["one", "two"].map((id) => seen.filter(({ sessionId }) => sessionId === id))).toEqual(logs);
  expect(cuts).toBe(5);
});

test("a connection of which nothing arrives any more is opened again", async () => {
  let silent = 2;
  const { api, client } = await openClient(async (input, init) => {
    if (!new URL(String(input)).pathname.endsWith("/events") || silent === 0) return fetch(input, init);
    silent -= 1;
    if (silent === 0) return new Promise(() => {}); // not even the start of a reply
    return new Response(new ReadableStream({ start() {} }), { headers: { "content-type": "text/event-stream" } });
  }, 300);
  await api.run("one", "Hi.");
  const connections: boolean[] = [];
  const followed = client.follow("one", { onConnection: (isOpen) => connections.push(isOpen) });
  expect((await followed.next()).value).toMatchObject({ seq: 1 });
  await followed.return(undefined);
  expect(connections).toEqual([true, false, false, true]);
});

test("a session that is removed and begun again ends for whoever follows it, also over a broken connection", async () => {
  let isOffline = false;
  const broken = new AbortController();
  const { api, client } = await openClient(async (input, init) => {
    if (isOffline) throw new TypeError("fetch failed");
    if (!init?.signal || broken.signal.aborted) return fetch(input, init);
    return fetch(input, { ...init, signal: AbortSignal.any([init.signal, broken.signal]) });
  });
  await api.run("one", "Hi.");
  const lengthOf = async (sessionId: string) => (await api.workspace.eventLog.read({ sessionId })).length;
  const removed = { status: 410, code: "session-removed", problem: { session: "one" } };
  const followed = [client.follow("one"), client.stream({ sessions: { one: 0 } })];
  for (let count = await lengthOf("one"); count > 0; count -= 1) for (const each of followed) await each.next();
  const ends = followed.map((each) => expect(each.next()).rejects.toMatchObject(removed));
  await remove(api, "one");
  await Promise.all(ends);

  await api.run("two", "Hi.");
  const other = client.follow("two", { onConnection: (isOpen) => isOpen || offline.resolve() });
  const offline = Promise.withResolvers<void>();
  for (let count = await lengthOf("two"); count > 0; count -= 1) await other.next();
  const last = other.next();
  isOffline = true;
  broken.abort();
  await offline.promise;
  await remove(api, "two");
  for (const prompt of ["Hi.", "Hi again."]) await api.run("two", prompt);
  isOffline = false;
  await expect(last).rejects.toMatchObject({ ...removed, problem: { session: "two" } });
});

/** Removes a session after its run has ended. Retries while the session is still in use by the run. */
async function remove(api: TestApi, session: string): Promise<void> {
  while ((await api.remove(`/sessions/${session}`)).status === 409) await setTimeout(5);
}

test.each(["..", ".", ""])("the id %j is refused before a request, which would be another one", async (id) => {
  const requests: unknown[] = [];
  const client = new BridleClient({
    url: "http://127.0.0.1:1",
    token: "t",
    fetch: (input) => {
      requests.push(input);
      return Promise.reject(new TypeError("fetch failed"));
    },
  });
  await expect(client.removeSession(id)).rejects.toMatchObject({ code: "invalid-id" });
  await expect(client.follow(id).next()).rejects.toMatchObject({ code: "invalid-id" });
  expect(requests).toEqual([]);
  await expect(client.removeSession("../permissions/x?y#z")).rejects.toThrow("fetch failed");
  expect(requests).toEqual(["http://127.0.0.1:1/api/v1/sessions/..%2Fpermissions%2Fx%3Fy%23z"]);
});

/** Passes on the first bytes of a stream, then fails like a broken connection. */
function cutAfter(body: ReadableStream<Uint8Array> | null, bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      controller.enqueue(piece.slice(0, left));
      left -= piece.length;
      if (left <= 0) controller.error(new Error("the connection broke"));
    },
  });
  return body?.pipeThrough(cut) ?? cut.readable;
}

test("a prompt whose connection breaks is sent again, and begins one run", async () => {
  let failures = 2;
  const { api, client } = await openClient(async (input, init) => {
    const response = await fetch(input, init);
    if (init?.method !== "POST" || failures === 0) return response;
    failures -= 1;
    throw new TypeError("fetch failed"); // the server has taken the request, but the reply is lost
  });
  const { runId } = await client.start("one", { prompt: "Hi." });
  await untilEnd(runId, api.workspace.eventLog);
  expect((await client.runs("one")).runs.map(({ id }) => id)).toEqual([runId]);
});

test("a refusal is an error with the status, the code and the fields of the problem", async () => {
  const { api, client } = await openClient();
  const error: unknown = await client.session("nothing").catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(BridleRequestError);
  expect(error).toMatchObject({ status: 404, code: "no-such-session" });
  const wrong = new BridleClient({ url: api.server.url, token: "wrong" });
  await expect(wrong.status()).rejects.toMatchObject({ status: 401 });
  await expect(client.follow("nothing").next()).rejects.toMatchObject({ status: 404 });
  const { runId } = await client.start("one", { prompt: "Where is my order?" });
  await untilAsked(runId, api.workspace.eventLog);
  await expect(client.start("one", { prompt: "Hi." })).rejects.toMatchObject({ problem: { holder: "this server" } });
});
