import { type EventDraft, noUsage, type RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { collectRunFacts } from "./run-facts.ts";
import { formatTranscript } from "./transcript-text.ts";

/** A run with this number of calls, of which every second one failed. */
function runOf(calls: number): RunEvent[] {
  const drafts = Array.from({ length: calls }, (_, index): EventDraft[] => {
    const callId = `call ${index}`;
    return [
      { type: "tool.requested", callId, tool: "look", input: { index }, inputHash: "h" },
      { type: "tool.started", callId },
      { type: "tool.finished", callId, ok: index % 2 === 0, durationMs: 1, output: `seen ${index}` },
    ];
  });
  const result = {
    stopReason: "natural",
    text: "",
    steps: 1,
    toolCalls: calls,
    toolFailures: 0,
    usage: noUsage,
  } as const;
  const all: EventDraft[] = [...drafts.flat(), { type: "run.finished", result, durationMs: 1 }];
  return all.map((draft, index) => ({ seq: index + 1, time: index, runId: "a", ...draft }));
}

test("each call has its own facts, even in a run with tens of thousands of calls", () => {
  const [facts] = collectRunFacts(runOf(20_000));
  expect(facts?.calls).toHaveLength(20_000);
  expect(facts?.calls.at(-1)).toMatchObject({ outcome: "failed", finished: { output: "seen 19999" } });
  expect(formatTranscript(runOf(100))).toContain("## Tool look (call 99) at +0.297 s: failed");
});
