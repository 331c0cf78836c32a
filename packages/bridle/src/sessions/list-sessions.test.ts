import { createMemoryEventLog } from "@bridle/core";
import type { EventLog } from "@bridle/protocol";
import { expect, test } from "vitest";
import { newestSession } from "./find-session.ts";
import { listSessions } from "./list-sessions.ts";

function begin(record: EventLog, sessionId: string, labels: Record<string, string>): void {
  const about = {
    operation: "loop",
    backend: "anthropic",
    model: "m",
    tools: [],
    builtins: [],
    stepBudget: 1,
    policy: "p",
  } as const;
  record.append({ runId: `run of ${sessionId}`, sessionId }, { type: "run.started", ...about, labels });
}

function recordOf(...sessions: [id: string, labels: Record<string, string>][]): EventLog {
  let time = 0;
  const record = createMemoryEventLog({ now: () => ++time });
  for (const [id, labels] of sessions) begin(record, id, labels);
  return record;
}

const trial = { test: "20261122-071501-k3f9", case: "refund", trial: "1" };
const idsIn = (list: ReturnType<typeof listSessions>) => list.sessions.map(({ id }) => id);

test("trials of test cases are neither listed among conversations nor the newest to go on with", () => {
  const record = recordOf(["talk", {}], ["other", { test: "a label of somebody's own" }], ["of-test", trial]);
  expect(idsIn(listSessions(record))).toEqual(["other", "talk"]);
  expect(idsIn(listSessions(record, { last: 1 }))).toEqual(["other"]);
  expect(newestSession(record)).toBe("other");
});

test("they are listed where that is asked for, and there is none to go on with where there are no others", () => {
  const record = recordOf(["of-test", trial]);
  expect(idsIn(listSessions(record, { tests: true }))).toEqual(["of-test"]);
  expect(() => newestSession(record)).toThrow("No session is on record in this project");
});
