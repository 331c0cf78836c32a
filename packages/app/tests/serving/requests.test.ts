import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { KeyReusedError, NotServedError, SessionExistsError } from "../../src/serving/index.ts";
import { openTestWorkspace } from "../support/open-test-workspace.ts";

const key = (bodyHash: string, value = "key-1") => ({ value, bodyHash });

test("five requests at once and a later one with the same key are one run, and another body is refused", async () => {
  const { workspace } = await openTestWorkspace();
  const request = { prompt: "Hi.", key: key("a") };
  const started = await Promise.all(Array.from({ length: 5 }, () => workspace.runs.start(request)));
  started.push(await workspace.runs.start(request));
  expect(new Set(started.map(({ runId }) => runId)).size).toBe(1);
  expect(await workspace.eventLog.runs()).toHaveLength(1);
  await expect(workspace.runs.start({ prompt: "Ho.", key: key("b") })).rejects.toThrow(KeyReusedError);
  const other = await workspace.runs.start({ prompt: "Ho.", key: key("b", "key-2") });
  expect(other.runId).not.toBe(started[0]?.runId);
});

test("a request that began nothing can be sent again with its key", async () => {
  const { workspace } = await openTestWorkspace();
  const { sessionId, runId } = await workspace.runs.start({ prompt: "Be slow." });
  const request = { session: sessionId, prompt: "Hi.", key: key("a") };
  await expect(workspace.runs.start(request)).rejects.toMatchObject({ code: "store_busy", holder: "this server" });
  expect(workspace.runs.stop(runId, "a test")).toBe(true);
  const { runId: next } = await workspace.runs.start({ ...request, whenBusy: "wait" });
  expect((await workspace.eventLog.runs({ sessionId })).map((run) => run.runId)).toEqual([next, runId]);
});

test("a session exists once it is created, and its first run has its agent and labels", async () => {
  const { workspace } = await openTestWorkspace();
  const created = await workspace.sessions.create({ id: "trip", labels: { customer: "7" }, key: key("a") });
  expect(await workspace.sessions.create({ id: "trip", labels: { customer: "7" }, key: key("a") })).toEqual(created);
  expect(workspace.sessions.withoutRun({ limit: 9 })).toEqual([created]);
  await expect(workspace.sessions.create({ id: "trip" })).rejects.toThrow(SessionExistsError);
  await workspace.runs.start({ session: "trip", prompt: "Hi.", labels: { channel: "web" } });
  const [started] = await workspace.eventLog.read({ sessionId: "trip", limit: 1 });
  expect(started).toMatchObject({ type: "run.started", labels: { agent: "desk", customer: "7", channel: "web" } });
  expect(workspace.sessions.withoutRun({ limit: 9 })).toEqual([]);
  expect(workspace.sessions.find("trip")).toMatchObject({ agent: "agent" });
});

test("an agent or a session that cannot be is refused", async () => {
  const { workspace } = await openTestWorkspace();
  await expect(workspace.runs.start({ agent: "agnet", prompt: "Hi." })).rejects.toThrow(NotServedError);
  await expect(workspace.sessions.create({ agent: "agnet" })).rejects.toThrow('Did you mean "agent"?');
  await expect(workspace.sessions.create({ id: "a/b" })).rejects.toThrow("The id of a session has");
  await expect(workspace.runs.start({ session: randomBytes(99).toString("hex"), prompt: "Hi." })).rejects.toThrow();
});
