import { appendEvents } from "@bridle/conformance";
import { createMemoryEventLog } from "@bridle/core";
import type { EventLog } from "@bridle/protocol";
import { expect, test } from "vitest";
import { newestSession } from "./find-session.ts";
import { listSessions } from "./list-sessions.ts";

async function begin(eventLog: EventLog, sessionId: string, labels: Record<string, string>): Promise<void> {
  const about = {
    operation: "loop",
    backend: "anthropic",
    model: "m",
    tools: [],
    builtins: [],
    stepBudget: 1,
    policy: "p",
  } as const;
  await appendEvents(eventLog, { runId: `run of ${sessionId}`, sessionId }, { type: "run.started", ...about, labels });
}

async function createLog(...sessions: [id: string, labels: Record<string, string>][]): Promise<EventLog> {
  let time = 0;
  const eventLog = createMemoryEventLog({ now: () => ++time });
  for (const [id, labels] of sessions) await begin(eventLog, id, labels);
  return eventLog;
}

const trial = { test: "20261122-071501-k3f9", case: "refund", trial: "1" };
const idsIn = async (list: ReturnType<typeof listSessions>) => (await list).sessions.map(({ id }) => id);

test("sessions of test cases are not listed, and are never the newest session", async () => {
  const eventLog = await createLog(["talk", {}], ["other", { test: "a label of the caller" }], ["of-test", trial]);
  expect(await idsIn(listSessions(eventLog))).toEqual(["other", "talk"]);
  expect(await idsIn(listSessions(eventLog, { last: 1 }))).toEqual(["other"]);
  expect(await newestSession(eventLog)).toBe("other");
});

test("sessions of test cases are listed with tests: true, and cannot be resumed as the newest", async () => {
  const eventLog = await createLog(["of-test", trial]);
  expect(await idsIn(listSessions(eventLog, { tests: true }))).toEqual(["of-test"]);
  await expect(newestSession(eventLog)).rejects.toThrow("This project has no session to resume");
});
