import { appendEvents } from "@bridle/conformance";
import { createMemoryEventLog } from "@bridle/core";
import type { EventDraft } from "@bridle/protocol";
import { expect, test } from "vitest";
import { describeRunDetail } from "../sessions/session-detail.ts";
import { readDailyCosts } from "../status/daily-costs.ts";
import { readKnownWindows } from "../status/known-windows.ts";
import { readRunStart } from "./run-start.ts";

const started: EventDraft = {
  type: "run.started",
  operation: "loop",
  backend: "claude-code",
  model: "m",
  rehearsed: true,
  tools: [],
  builtins: [],
  stepBudget: 5,
  policy: "0",
};
const answer = { type: "approval.decided", decision: "allow", source: "answer", scope: "once" } as const;
const lateAnswers = Array.from({ length: 12 }, (_, index) => ({
  ...answer,
  approvalId: `a${index}`,
  callId: `c${index}`,
}));

test("the start of a run is found behind the late answers that it begins with, by all that ask for it", async () => {
  const eventLog = createMemoryEventLog();
  const run = { runId: "run", sessionId: "s" };
  await appendEvents(eventLog, run, ...lateAnswers, started, { type: "limit.warned", window: "five_hour" });
  expect(await readRunStart(eventLog, { runId: "run" })).toMatchObject({ type: "run.started", seq: 13 });
  expect(await readRunStart(eventLog, { sessionId: "s" })).toMatchObject({ seq: 13 });
  expect(await readKnownWindows(eventLog)).toMatchObject([{ backend: "claude-code", window: "five_hour" }]);
  expect(await describeRunDetail(eventLog, run)).toMatchObject({
    backend: "claude-code",
    rehearsed: true,
    firstSeq: 1,
  });
  const { days } = await readDailyCosts(eventLog, { days: 9, timeZone: "UTC" });
  expect(days).toMatchObject([{ backend: "claude-code", rehearsed: 1 }]);
});

test("a run whose start is not on record has none", async () => {
  const eventLog = createMemoryEventLog();
  await appendEvents(eventLog, { runId: "run", sessionId: "s" }, { type: "step.started", index: 1 });
  expect(await readRunStart(eventLog, { runId: "run" })).toBeUndefined();
});
