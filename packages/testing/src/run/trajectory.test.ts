import { type EventDraft, noUsage, type RunEvent, type RunResult } from "@bridle/protocol";
import { expect, test } from "vitest";
import { readTrajectory } from "./trajectory.ts";

const result: RunResult = { stopReason: "natural", text: "", steps: 0, toolCalls: 0, toolFailures: 0, usage: noUsage };

/** Creates a run with these events, each at its time in milliseconds. */
function trajectory(...timed: [time: number, draft: EventDraft][]) {
  const events = timed.map(([time, draft], index): RunEvent => ({ ...draft, seq: index + 1, time, runId: "r" }));
  return readTrajectory(events, result);
}

const asked: EventDraft = {
  type: "model.input",
  turn: 1,
  sha256: "",
  artifact: "",
  implicitSources: [],
  hostAdds: [],
  messages: [{ role: "user", content: "Where is it?" }],
};
const finished: EventDraft = { type: "run.finished", result, durationMs: 0 };
const waiting: EventDraft = { type: "limit.waiting", window: "w", remainingMs: 5, reason: "usage-limit" };

test("calls have their rule, their input and their structured result", () => {
  const { transcript, calls } = trajectory(
    [0, asked],
    [1, { type: "step.started", index: 1 }],
    [2, { type: "text.completed", text: "Let me look." }],
    [3, { type: "tool.requested", callId: "1", tool: "find", input: { id: 1 }, inputHash: "" }],
    [3, { type: "tool.evaluated", callId: "1", decision: "allow", rule: "allow-all" }],
    [4, { type: "tool.started", callId: "1" }],
    [9, { type: "tool.finished", callId: "1", ok: true, durationMs: 5, output: "Found.", structured: { hits: [] } }],
    [9, { type: "tool.requested", callId: "2", tool: "drop", input: {}, inputHash: "" }],
    [9, { type: "tool.evaluated", callId: "2", decision: "deny", rule: "rule 1" }],
    [9, { type: "tool.denied", callId: "2", output: "Denied." }],
    [9, { type: "tool.requested", callId: "3", tool: "find", input: {}, inputHash: "" }],
    [10, finished],
  );
  expect(transcript.map(({ kind }) => kind)).toEqual(["user", "text", "call", "call", "call"]);
  expect(calls).toEqual([
    {
      kind: "call",
      callId: "1",
      tool: "find",
      input: { id: 1 },
      state: "succeeded",
      output: "Found.",
      structured: { hits: [] },
      rule: "allow-all",
      step: 1,
      durationMs: 5,
    },
    {
      kind: "call",
      callId: "2",
      tool: "drop",
      input: {},
      state: "denied",
      output: "Denied.",
      rule: "rule 1",
      step: 1,
      durationMs: null,
    },
    {
      kind: "call",
      callId: "3",
      tool: "find",
      input: {},
      state: "unfinished",
      output: null,
      rule: null,
      step: 1,
      durationMs: null,
    },
  ]);
});

test("attachments are listed by name", () => {
  const content = [
    { type: "text", text: "Look." },
    { type: "file", mediaType: "application/pdf", data: "AA==", name: "bill.pdf" },
    { type: "image", mediaType: "image/png", data: "AA==" },
  ] as const;
  const { transcript } = trajectory([0, { ...asked, messages: [{ role: "user", content }] }], [1, finished]);
  expect(transcript).toEqual([{ kind: "user", text: "Look.", attachments: ["bill.pdf", "image/png"] }]);
});

test("the duration of a turn starts with its first request and excludes waits for a window", () => {
  expect(
    trajectory([0, waiting], [500, { type: "limit.cleared", window: "w" }], [1000, asked], [1300, finished]).durationMs,
  ).toBe(300);
  const within = trajectory(
    [0, asked],
    [100, waiting],
    [150, waiting],
    [600, { type: "limit.cleared", window: "w" }],
    [700, finished],
  );
  expect(within.durationMs).toBe(200);
  expect(trajectory([0, asked], [100, waiting], [600, finished]).durationMs).toBe(100);
  expect(trajectory([0, finished]).durationMs).toBe(0);
});

test("the figures of a turn include those of the runs that it started", () => {
  const usage = { ...noUsage, inputTokens: 100, outputTokens: 5 };
  const own = { ...result, steps: 2, usage: { ...noUsage, inputTokens: 10 }, cost: { usd: 0.5, estimate: false } };
  const figures = ({ steps, usage: used, cost }: RunResult) => [steps, used.inputTokens, used.outputTokens, cost];
  const nested = { runs: 1, steps: 3, toolCalls: 1, usage, cost: { usd: 0.25, estimate: true } };
  expect(figures(readTrajectory([], { ...own, nested }).result)).toEqual([5, 110, 5, { usd: 0.75, estimate: true }]);
  const { cost: _unknown, ...unpriced } = nested;
  const partial = { usd: 0.5, estimate: false, partial: true };
  expect(figures(readTrajectory([], { ...own, nested: unpriced }).result)).toEqual([5, 110, 5, partial]);
  expect(figures(readTrajectory([], own).result)).toEqual([2, 10, 0, own.cost]);
});
