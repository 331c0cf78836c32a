import { appendEvents } from "@bridle/conformance";
import { createMemoryEventLog } from "@bridle/core";
import type { EventLog } from "@bridle/protocol";
import { expect, test } from "vitest";
import { newestSession } from "../events/find-session.ts";
import { listSessions } from "./list-sessions.ts";
import { viewSession } from "./view-session.ts";

interface Caller {
  readonly parentRunId: string;
  readonly parentSessionId?: string;
}

async function begin(
  eventLog: EventLog,
  sessionId: string,
  { run = `run of ${sessionId}`, ...more }: { run?: string; labels?: Record<string, string>; caller?: Caller } = {},
): Promise<void> {
  const about = {
    operation: "loop",
    backend: "anthropic",
    model: "m",
    tools: [],
    builtins: [],
    stepBudget: 1,
    policy: "p",
  } as const;
  const { labels, caller } = more;
  const start = { type: "run.started", ...about, ...(labels && { labels }), ...caller } as const;
  await appendEvents(eventLog, { runId: run, sessionId }, start);
}

async function createLog(...sessions: [id: string, labels: Record<string, string>][]): Promise<EventLog> {
  let time = 0;
  const eventLog = createMemoryEventLog({ now: () => ++time });
  for (const [id, labels] of sessions) await begin(eventLog, id, { labels });
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

test("a session that another one called keeps its caller when a person continues it, and is then one of a person", async () => {
  const eventLog = await createLog(["talk", {}]);
  const caller = { parentRunId: "run of talk", parentSessionId: "talk" };
  await begin(eventLog, "called", { caller });
  expect(await newestSession(eventLog)).toBe("talk");
  await begin(eventLog, "called", { run: "run of a person" });
  const kept = { parentRun: "run of talk", parentSession: "talk" };
  expect((await listSessions(eventLog, { last: 1 })).sessions).toMatchObject([{ id: "called", ...kept }]);
  expect(await viewSession(eventLog, "called")).toMatchObject(kept);
  expect(await newestSession(eventLog)).toBe("called");
});

test("the caller of a session is the one that called it last", async () => {
  const eventLog = await createLog();
  await begin(eventLog, "called", { caller: { parentRunId: "first", parentSessionId: "talk" } });
  await begin(eventLog, "called", { run: "second", caller: { parentRunId: "other" } });
  const { sessions } = await listSessions(eventLog);
  expect(sessions).toMatchObject([{ parentRun: "other", parentSession: null }]);
});
