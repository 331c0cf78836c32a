import { describe, expect, test } from "vitest";
import type { SessionEntry } from "../connection/session-entries.ts";
import { nextStep, parallelOf, turnHeadOf } from "./steps.ts";

const place = (seq: number) => ({ runId: "r", seq, time: seq });
const said = (seq: number, text: string): SessionEntry => ({
  kind: "user",
  message: { role: "user", content: text },
  ...place(seq),
});
const answer = (seq: number, step: number): SessionEntry => ({
  kind: "text",
  text: "…",
  complete: true,
  step,
  ...place(seq),
});
const call = (seq: number, step: number): SessionEntry => ({
  kind: "tool",
  callId: `c${seq}`,
  tool: "look",
  input: {},
  step,
  state: "succeeded",
  progress: [],
  ...place(seq),
});
const entries = [said(1, "first"), answer(2, 1), call(3, 1), call(4, 1), call(5, 2), answer(6, 3), said(7, "second")];

describe("steps of a conversation", () => {
  test("an entry is headed by its message and its step, and a message by nothing", () => {
    expect(turnHeadOf(entries, 4)).toEqual({ index: 0, words: "first", step: 2 });
    expect(turnHeadOf(entries, 6)).toBeUndefined();
    expect(turnHeadOf([answer(2, 1)], 0)).toBeUndefined();
  });

  test("moving by steps goes to the first entry of each step and message, and stays within the session", () => {
    expect(nextStep(entries, 0, 1)).toBe(1);
    expect(nextStep(entries, 1, 1)).toBe(4);
    expect(nextStep(entries, 5, -1)).toBe(4);
    expect(nextStep(entries, 4, -1)).toBe(1);
    expect(nextStep(entries, 6, 1)).toBe(6);
    expect(nextStep(entries, 0, -1)).toBe(0);
  });

  test("calls of the same step that follow each other are parallel, and a call alone is not", () => {
    expect(entries.map((_, index) => parallelOf(entries, index))).toEqual([
      undefined,
      undefined,
      { count: 2 },
      { count: undefined },
      undefined,
      undefined,
      undefined,
    ]);
  });
});
