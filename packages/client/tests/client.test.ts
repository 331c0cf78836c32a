import type { RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { startApi, untilAsked, untilEnd } from "../../server/tests/support/start-api.ts";
import { BridleClient, BridleRequestError, PlacedTranscript } from "../src/index.ts";

async function openClient(fetch?: typeof globalThis.fetch) {
  const api = await startApi();
  return { api, client: new BridleClient({ url: api.server.url, token: api.server.token, fetch }) };
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
    for (const event of events) transcript.add(event); // those that it has do not count again
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

/** The stream up to so many bytes, and then an error as of a broken connection. */
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
