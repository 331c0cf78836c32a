import type { EventDraft } from "@bridle/protocol";
import { expect, test } from "vitest";
import { RunPauses } from "./run-pauses.ts";

const start = (callId: string): EventDraft => ({ type: "tool.started", callId });
const end = (callId: string): EventDraft => ({
  type: "tool.finished",
  callId,
  ok: true,
  output: "",
  durationMs: 1,
});
const ask = (approvalId: string, callId: string): EventDraft => ({
  type: "approval.requested",
  approvalId,
  callId,
  tool: "t",
  input: {},
  inputHash: "h",
  rule: "r",
  attempt: 1,
  builtin: false,
  everyTime: false,
});
const answer = (approvalId: string, callId: string): EventDraft => ({
  type: "approval.decided",
  approvalId,
  callId,
  decision: "allow",
  source: "answer",
  scope: "once",
});

/** Lists the questions that each pause shows. */
function pausesOf(...drafts: readonly EventDraft[]): (readonly string[])[] {
  const pauses = new RunPauses();
  return drafts.flatMap((draft, at) => {
    const shown = pauses.next({ ...draft, seq: at + 1, time: 0, runId: "run_1" });
    return shown ? [shown.map(({ approvalId }) => approvalId)] : [];
  });
}

test("a run pauses for the second question of a call whose first one was answered while another call was running", () => {
  const [first, second] = [ask("1", "c"), ask("2", "c")];
  expect(pausesOf(start("c"), start("d"), first, second, answer("1", "c"), end("d"))).toEqual([["2"]]);
});

test("a call that has ended keeps no later question from being shown, although its own is closed only then", () => {
  const ended = [start("c"), ask("1", "c"), end("c"), answer("1", "c")];
  expect(pausesOf(...ended, ask("2", "d"))).toEqual([["1"], ["2"]]);
});
