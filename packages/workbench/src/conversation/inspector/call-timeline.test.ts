import type { EventDraft, RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { callTimeline } from "./call-timeline.ts";

const call = { callId: "c" };
const asked: EventDraft = {
  type: "approval.requested",
  ...call,
  approvalId: "a",
  attempt: 1,
  tool: "look",
  input: {},
  inputHash: "0",
  builtin: false,
  rule: "rules[0]",
  everyTime: false,
};
const answered: EventDraft = {
  type: "approval.decided",
  ...call,
  approvalId: "a",
  decision: "allow",
  source: "answer",
  scope: "session",
  by: "petra",
  input: { id: "8" },
};
const drafts: readonly EventDraft[] = [
  { type: "tool.requested", ...call, tool: "look", input: {}, inputHash: "0" },
  { type: "tool.evaluated", ...call, decision: "ask", rule: "rules[0]" },
  asked,
  answered,
  { type: "tool.started", ...call },
  { type: "tool.finished", ...call, ok: true, durationMs: 12, output: "yes" },
];

function placed(all: readonly EventDraft[]): RunEvent[] {
  return all.map((draft, index) => ({ v: 1, runId: "r", seq: index + 1, time: index * 100, ...draft }) as RunEvent); // in the form of a log
}

test("the timeline of a call says who decided what, and how long each step took", () => {
  expect(callTimeline(placed(drafts)).map(({ afterMs, words }) => `${afterMs} ${words}`)).toEqual([
    "0 Requested by the model",
    "100 The rule rules[0] asks a person",
    "100 A person was asked",
    "100 Allowed for the session by petra, with another input",
    "100 Started",
    "100 Succeeded after 12 ms",
  ]);
});

test("a question of an agent that is called says which of its calls it is about", () => {
  const nested = { runId: "b", callId: "d" };
  const ofAgent: readonly EventDraft[] = [
    { ...asked, nested },
    { ...answered, nested },
  ];
  expect(callTimeline(placed(ofAgent)).map(({ words }) => words)).toEqual([
    "A person was asked about look, which the agent calls",
    "About the call of the agent: Allowed for the session by petra, with another input",
  ]);
});

test("of a thousand notes of progress the newest are listed", () => {
  const notes = Array.from(
    { length: 1000 },
    (_, index): EventDraft => ({
      type: "tool.progress",
      ...call,
      message: `note ${index}`,
    }),
  );
  const moments = callTimeline(placed(notes));
  expect(moments).toHaveLength(20);
  expect(moments.at(-1)).toMatchObject({ seq: 1000, words: "note 999", afterMs: 100 });
});
