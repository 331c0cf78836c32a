import { expect, test } from "vitest";
import { turnOf } from "../log/results-for-tests.ts";
import type { Call } from "../result/call.ts";
import { transcriptLines } from "./transcript-lines.ts";

function callOf(changes: Partial<Call> = {}): Call {
  return {
    kind: "call",
    callId: "toolu_1",
    tool: "lookup_order",
    input: { id: "A-1001", options: { b: 1, a: [true] } },
    state: "succeeded",
    output: "shipped\r\nby mail\n",
    rule: "allow",
    step: 1,
    durationMs: 12,
    ...changes,
  };
}

test("a transcript becomes plain lines", () => {
  const turn = turnOf({
    transcript: [
      { kind: "user", text: "Where is\nA-1001?", attachments: ["photo.png"] },
      { kind: "reasoning", text: "Let me look." },
      callOf(),
      { kind: "text", text: "It has shipped." },
    ],
  });
  expect(transcriptLines([turn])).toEqual([
    "User:",
    "  Where is",
    "  A-1001?",
    "  (file photo.png)",
    "Call lookup_order:",
    '  id: "A-1001"',
    "  options: {",
    '    "a": [',
    "      true",
    "    ],",
    '    "b": 1',
    "  }",
    "Result:",
    "  shipped",
    "  by mail",
    "Agent:",
    "  It has shipped.",
  ]);
});

test("ids, durations, rules, reasoning, key order and text parts make no difference", () => {
  const one = turnOf({
    transcript: [
      callOf(),
      { kind: "text", text: "One." },
      { kind: "reasoning", text: "?" },
      { kind: "text", text: "Two." },
    ],
  });
  const other = turnOf({
    runId: "run_2",
    durationMs: 1,
    model: "other",
    transcript: [
      { kind: "user", text: "Where is it?", attachments: [] },
      { kind: "reasoning", text: "Hm." },
      callOf({ callId: "2", durationMs: 9, rule: null, input: { options: { a: [true], b: 1 }, id: "A-1001" } }),
      { kind: "text", text: "One.\nTwo." },
    ],
  });
  expect(transcriptLines([other])).toEqual(transcriptLines([one]));
});

test("calls show an unusual outcome, and arguments that are no object are unchanged", () => {
  const calls = [
    callOf({ input: {}, state: "denied", output: "Not allowed." }),
    callOf({ input: null, state: "unfinished", output: null }),
    callOf({ input: "text", state: "failed", output: "" }),
  ];
  expect(transcriptLines([turnOf({ transcript: calls })]).slice(2)).toEqual([
    "Call lookup_order:",
    "Result, denied:",
    "  Not allowed.",
    "Call lookup_order (unfinished):",
    "Call lookup_order:",
    '  "text"',
    "Result, failed:",
    "  (nothing)",
  ]);
});

test("several turns have numbers, an object is complete, and an early end is shown", () => {
  const turns = [
    turnOf({ transcript: [], object: { b: 1, a: null } }),
    turnOf({ transcript: [], stopReason: "budget" }),
    turnOf({ transcript: [], runId: null, stopReason: null, input: "And then?", files: ["a.txt"] }),
  ];
  expect(transcriptLines(turns)).toEqual([
    "Turn 1",
    "User:",
    "  Where is it?",
    "Object:",
    "  {",
    '    "a": null,',
    '    "b": 1',
    "  }",
    "Turn 2",
    "User:",
    "  Where is it?",
    "(It ended early: the steps were used up.)",
    "Turn 3",
    "User:",
    "  And then?",
    "  (file a.txt)",
    "(The run did not start.)",
  ]);
});
