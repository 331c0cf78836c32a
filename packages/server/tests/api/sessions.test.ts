import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { startApi, untilAsked, untilEnd } from "../support/start-api.ts";
import { writeSession } from "../support/written-session.ts";

test("a run is started, read, listed with its session, and found in the transcript", async () => {
  const api = await startApi();
  const started = await api.post("/sessions/one/runs", { prompt: "Hi." });
  expect(started).toMatchObject({ status: 202, body: { sessionId: "one", firstSeq: 1 } });
  const { runId } = started.body;
  expect(started.headers.get("location")).toBe(`/api/v1/runs/${runId}`);
  await untilEnd(runId, api.workspace.eventLog);
  const run = await api.get(`/runs/${runId}`);
  expect(run.body).toMatchObject({ id: runId, session: "one", ended: true, stopReason: "natural", rehearsed: true });
  const session = await api.get("/sessions/one");
  expect(session.body).toMatchObject({ id: "one", agent: "agent", activeRun: null, lastSeq: run.body.lastSeq });
  const list = await api.get("/sessions?agent=agent&q=hi");
  expect(list.body).toMatchObject({ sessions: [{ id: "one", agent: "agent", firstWords: "Hi." }], next: null });
  expect((await api.get("/sessions?q=nothing")).body.sessions).toEqual([]);
  const transcript = await api.get("/sessions/one/transcript");
  expect(transcript.body).toMatchObject({
    seq: run.body.lastSeq,
    entries: [
      { kind: "user", runId },
      { kind: "text", text: "Hello from the desk.", complete: true, runId },
    ],
  });
  expect((await api.get("/sessions/one/runs")).body.runs).toMatchObject([{ id: runId }]);
});

test("sessions come in pages that neither repeat nor leave out one", async () => {
  const api = await startApi();
  for (const id of ["a", "b", "c", "d", "e"]) await api.run(id, "Hi.");
  const seen: string[] = [];
  for (let path: string | null = "/sessions?limit=2"; path !== null; ) {
    const { body } = await api.get(path);
    seen.push(...body.sessions.map(({ id }: { id: string }) => id));
    path = body.next === null ? null : `/sessions?limit=2&cursor=${body.next}`;
  }
  expect(seen).toEqual(["e", "d", "c", "b", "a"]);
  const wrong = await api.get("/sessions?cursor=nonsense");
  expect(wrong).toMatchObject({ status: 422, body: { errors: [{ parameter: "cursor" }] } });
});

test("sessions without a run come first, in pages of the same length, and each session is listed once", async () => {
  const api = await startApi();
  for (const id of ["a", "b", "c"]) await api.run(id, "Hi.");
  for (const id of ["d", "e", "f", "g"]) await api.workspace.sessions.create({ id });
  await writeSession(api.workspace.eventLog, "e", 1); // like another process
  for (const filter of ["", "&agent=agent"]) {
    const pages: string[][] = [];
    for (let path: string | null = `/sessions?limit=2${filter}`; path !== null; ) {
      const { body } = await api.get(path);
      pages.push(body.sessions.map(({ id }: { id: string }) => id));
      path = body.next === null ? null : `/sessions?limit=2${filter}&cursor=${body.next}`;
    }
    expect(pages.flat().slice(0, 3).toSorted()).toEqual(["d", "f", "g"]);
    expect(pages.flat().slice(3)).toEqual(["e", "c", "b", "a"]);
    expect(pages.every(({ length }) => length <= 2)).toBe(true);
  }
  expect((await api.get("/sessions?q=F")).body.sessions).toMatchObject([{ id: "f", agent: "agent" }]);
});

test("a session, a run and an agent that do not exist are 404, with the nearest name", async () => {
  const api = await startApi();
  await api.run("order-42", "Hi.");
  const session = await api.get("/sessions/order-43");
  expect(session).toMatchObject({ status: 404, body: { code: "no-such-session" } });
  expect(session.body.detail).toContain('"order-42"');
  expect(await api.get("/runs/run_nothing")).toMatchObject({ status: 404, body: { code: "no-such-run" } });
  expect(await api.get("/sessions?agent=agnt")).toMatchObject({ status: 404, body: { code: "no-such-agent" } });
  expect(await api.get(`/artifacts/${"0".repeat(64)}`)).toMatchObject({
    status: 404,
    body: { code: "no-such-artifact" },
  });
});

test("a fork has the history up to a response, and its id must be free", async () => {
  const api = await startApi();
  await api.run("one", "Hi.");
  await api.run("one", "Hi again.");
  const fork = await api.post("/sessions/one/fork", { atStep: 1, id: "two" });
  expect(fork).toMatchObject({ status: 201, body: { id: "two" } });
  expect((await api.get("/sessions/two")).body).toMatchObject({ forkedFrom: "one", runs: [] });
  expect(await api.post("/sessions/one/fork", { id: "two" })).toMatchObject({
    status: 409,
    body: { code: "session-exists" },
  });
  const wrong = await api.post("/sessions/one/fork", { atStep: 3 });
  expect(wrong).toMatchObject({ status: 422, body: { errors: [{ pointer: "/atStep" }] } });
});

test("a session is removed, but not while a run is in progress in it", async () => {
  const api = await startApi();
  const { body } = await api.post("/sessions/one/runs", { prompt: "Something about an order." });
  const { approvalId } = await untilAsked(body.runId, api.workspace.eventLog);
  expect(await api.remove("/sessions/one")).toMatchObject({
    status: 409,
    body: { code: "session-busy", run: body.runId },
  });
  const busy = await api.post("/sessions/one/runs", { prompt: "Hi." });
  expect(busy).toMatchObject({ status: 409, body: { holder: "this server" } });
  expect((await api.get("/sessions/one")).body).toMatchObject({
    activeRun: body.runId,
    pendingApprovals: [{ id: approvalId }],
  });
  expect(await api.post(`/runs/${body.runId}/stop`)).toMatchObject({ status: 202 });
  await untilEnd(body.runId, api.workspace.eventLog);
  expect((await api.get(`/runs/${body.runId}`)).body).toMatchObject({ stopReason: "stopped" });
  expect(await api.post(`/runs/${body.runId}/stop`)).toMatchObject({ status: 409, body: { code: "run-ended" } });
  while (api.workspace.runs.has(body.runId)) await setTimeout(5); // the run releases its session
  expect(await api.remove("/sessions/one")).toMatchObject({ status: 200, body: { id: "one", runs: 1 } });
  expect((await api.get("/sessions/one")).status).toBe(404);
});

test("a session is created before its first run, is listed and read, and its id must be free", async () => {
  const api = await startApi();
  const created = await api.post("/sessions", { agent: "agent", id: "early", labels: { ticket: "7" } });
  expect(created).toMatchObject({ status: 201, body: { id: "early", agent: "agent", lastSeq: 0 } });
  expect(created.headers.get("location")).toBe("/api/v1/sessions/early");
  expect((await api.get("/sessions")).body.sessions).toMatchObject([{ id: "early", runs: 0 }]);
  expect((await api.get("/sessions/early")).body).toMatchObject({ agent: "agent", labels: { ticket: "7" }, runs: [] });
  expect((await api.get("/sessions/early/transcript")).body).toMatchObject({ seq: 0, entries: [] });
  expect(await api.post("/sessions", { id: "early" })).toMatchObject({ status: 409, body: { code: "session-exists" } });
  expect(await api.post("/sessions/early/compact", { strategy: "drop-tool-results" })).toMatchObject({ status: 409 });
  await api.run("early", "Hi.");
  expect((await api.get("/sessions")).body.sessions).toMatchObject([{ id: "early", runs: 1, labels: { ticket: "7" } }]);
  const shorter = await api.post("/sessions/early/compact", { strategy: "drop-tool-results" });
  expect(shorter).toMatchObject({ status: 200, body: { isShorter: false } });
});

test("five requests with one Idempotency-Key begin one run, and another body with the key is refused", async () => {
  const api = await startApi();
  const key = { "idempotency-key": "k-1" };
  const send = (prompt: string) => api.post("/sessions/one/runs", { prompt }, key);
  const replies = await Promise.all(Array.from({ length: 5 }, () => send("Hi.")));
  expect(new Set(replies.map(({ status, body }) => `${status} ${body.runId}`)).size).toBe(1);
  await untilEnd(replies[0]?.body.runId, api.workspace.eventLog);
  expect((await api.get("/sessions/one/runs")).body.runs).toHaveLength(1);
  expect((await send("Something else.")).status).toBe(422);
  expect((await api.post("/sessions/one/runs", { prompt: "x" }, { "idempotency-key": "a b" })).status).toBe(422);
});
