import type { EventDraft, RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { voidTextOf } from "./void-text.ts";

const retryDraft: EventDraft = { type: "retry.scheduled", attempt: 1, maxAttempts: 3, delayMs: 0, reason: "cut" };
const step: EventDraft = { type: "step.started", index: 1 };
const delta = (text: string): EventDraft => ({ type: "text.delta", text });

function placed(drafts: readonly EventDraft[], from = 1): RunEvent[] {
  return drafts.map((draft, index) => ({ v: 1, runId: "r", seq: from + index, time: 0, ...draft }) as RunEvent); // in the form of a log
}

test("the void text of a response is what it had said since it began, or since it was requested again before", () => {
  const events = placed([delta("earlier"), step, delta("Hel"), delta("lo"), retryDraft, delta("Good "), delta("day")]);
  expect(voidTextOf(events, { seq: 5, runId: "r" })).toEqual({ text: "Hello", isWhole: true });
  expect(voidTextOf(events, { seq: 8, runId: "r" })).toEqual({ text: "Good day", isWhole: true });
});

test("a completed text replaces its pieces, and other runs do not count", () => {
  const events = placed([step, delta("Hel"), { type: "text.completed", text: "Hello." }, delta("And")]);
  expect(voidTextOf(events, { seq: 9, runId: "r" }).text).toBe("Hello.\n\nAnd");
  expect(voidTextOf(events, { seq: 9, runId: "other" }).text).toBe("");
});

test("events that do not reach back to the beginning of the response are not the whole of it", () => {
  expect(voidTextOf(placed([delta("lo")], 500), { seq: 501, runId: "r" })).toEqual({ text: "lo", isWhole: false });
});
