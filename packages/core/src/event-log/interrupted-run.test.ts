import type { EventDraft, RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { describeInterruptedEnd, describeInterruption } from "./interrupted-run.ts";

test("a run has no negative duration if the clock was set back", () => {
  const at = (seq: number, time: number): RunEvent => ({
    seq,
    time,
    runId: "a",
    type: "notice",
    level: "info",
    code: "c",
    message: "m",
  });
  expect(describeInterruptedEnd([at(1, 5000), at(2, 1000)], "the process 7").durationMs).toBe(0);
  expect(describeInterruptedEnd([at(1, 5000), at(2, 9000)], "the process 7").durationMs).toBe(4000);
});

const nested = { runId: "n", sessionId: "ns", callId: "1" };
const asked = (approvalId: string, more: { nested?: typeof nested } = {}): EventDraft => ({
  type: "approval.requested",
  approvalId,
  callId: "c",
  attempt: 1,
  tool: "t",
  input: {},
  inputHash: "h",
  builtin: false,
  rule: "default",
  everyTime: false,
  ...more,
});
const started = (more: { parentRunId?: string } = {}): EventDraft => ({
  type: "run.started",
  backend: "b",
  operation: "loop",
  model: "m",
  tools: [],
  builtins: [],
  stepBudget: 1,
  policy: "p",
  ...more,
});
const closed = (drafts: readonly EventDraft[]) =>
  describeInterruption(
    drafts.map((draft, index): RunEvent => ({ ...draft, seq: index + 1, time: 1, runId: "a" })),
    "the process 7",
  );

test("a nested run that was interrupted leaves no question open, because nothing continues it", () => {
  const drafts = closed([started({ parentRunId: "p" }), asked("1")]);
  expect(drafts).toMatchObject([
    { type: "approval.decided", approvalId: "1", callId: "c", decision: "deny", source: "run-ended" },
    { type: "run.finished", result: { stopReason: "error" } },
  ]);
});

test("a run that was interrupted leaves its own question open for its session, but none of a run that it called", () => {
  const drafts = closed([started(), asked("1"), asked("2", { nested })]);
  expect(drafts).toMatchObject([
    { type: "approval.decided", approvalId: "2", nested, source: "run-ended" },
    { type: "run.finished" },
  ]);
});
