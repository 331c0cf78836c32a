import { createMemoryEventLog } from "@bridle/core";
import type { EventLog } from "@bridle/protocol";
import { expect, test } from "vitest";
import { newestSession } from "./find-session.ts";
import { listSessions } from "./list-sessions.ts";

function begin(eventLog: EventLog, sessionId: string, labels: Record<string, string>): void {
  const about = {
    operation: "loop",
    backend: "anthropic",
    model: "m",
    tools: [],
    builtins: [],
    stepBudget: 1,
    policy: "p",
  } as const;
  eventLog.append({ runId: `run of ${sessionId}`, sessionId }, { type: "run.started", ...about, labels });
}

function createLog(...sessions: [id: string, labels: Record<string, string>][]): EventLog {
  let time = 0;
  const eventLog = createMemoryEventLog({ now: () => ++time });
  for (const [id, labels] of sessions) begin(eventLog, id, labels);
  return eventLog;
}

const trial = { test: "20261122-071501-k3f9", case: "refund", trial: "1" };
const idsIn = (list: ReturnType<typeof listSessions>) => list.sessions.map(({ id }) => id);

test("sessions of test cases are not listed, and are never the newest session", () => {
  const eventLog = createLog(["talk", {}], ["other", { test: "a label of the caller" }], ["of-test", trial]);
  expect(idsIn(listSessions(eventLog))).toEqual(["other", "talk"]);
  expect(idsIn(listSessions(eventLog, { last: 1 }))).toEqual(["other"]);
  expect(newestSession(eventLog)).toBe("other");
});

test("sessions of test cases are listed with tests: true, and cannot be resumed as the newest", () => {
  const eventLog = createLog(["of-test", trial]);
  expect(idsIn(listSessions(eventLog, { tests: true }))).toEqual(["of-test"]);
  expect(() => newestSession(eventLog)).toThrow("This project has no session to resume");
});
