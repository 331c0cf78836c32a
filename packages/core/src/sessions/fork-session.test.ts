import { appendEvents, createMemoryBackend } from "@bridle/conformance";
import { expect, test } from "vitest";
import { createMemoryEventLog } from "../event-log/memory-event-log.ts";
import { createAgentRuntime } from "../runtime/runtime.ts";
import { forkSession } from "./fork-session.ts";

test("a fork in the event log has the history up to a response, and any runtime can continue the fork", async () => {
  const record = createMemoryEventLog();
  const backend = createMemoryBackend([{ steps: [{ say: "Answered." }] }]);
  const runtime = createAgentRuntime({ backend, models: { default: "m" }, eventLog: record });
  const request = { tools: [], stepBudget: 1 };
  const trunk = await runtime.openSession({ ...request, id: "trunk" });
  for (const prompt of ["One", "Two", "Three"]) await (await trunk.send(prompt)).result;
  expect(await forkSession(record, { from: "trunk", atStep: 2, id: "branch" })).toBe("branch");
  const whole = await runtime.openSession({ ...request, id: await forkSession(record, { from: "trunk" }) });
  expect(whole.history()).toEqual(trunk.history());

  const branch = await runtime.openSession({ ...request, id: "branch" });
  expect(branch.history()).toEqual(trunk.history().slice(0, 4));
  expect(branch.totals.runs).toBe(0);
  await (await branch.send("Other")).result;
  expect(backend.sent.at(-1)?.texts).toEqual(["One", "Two", "Other"]);
  expect(trunk.history()).toHaveLength(6);
});

test("a fork is refused if the session or response is unknown, or the id is used or invalid", async () => {
  const record = createMemoryEventLog();
  await expect(forkSession(record, { from: "none" })).rejects.toThrow('No session "none" is on record.');
  await appendEvents(record, { runId: "r", sessionId: "s" }, { type: "text.completed", text: "x" });
  await expect(forkSession(record, { from: "s", atStep: 1 })).rejects.toThrow("atStep is 1");
  await expect(forkSession(record, { from: "s", id: "s" })).rejects.toThrow('"s" is on record already');
  await expect(forkSession(record, { from: "s", id: "a b" })).rejects.toThrow("The id of a session has");
});
