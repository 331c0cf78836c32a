import { PlacedTranscript, type SessionTranscript } from "@bridle/client";
import type { RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { withRetries } from "./session-entries.ts";

const place = (seq: number) => ({ runId: "r", seq, time: seq });
const answer = (seq: number, step: number) =>
  ({ kind: "text", text: `${seq}`, complete: true, step, ...place(seq) }) as const;
const retry = (seq: number, step: number) => ({
  ...place(seq),
  step,
  reason: "overloaded",
  attempt: 1,
  maxAttempts: 3,
});

test("a response that was requested again has a row where it happened", () => {
  const transcript: SessionTranscript = {
    seq: 20,
    steps: 2,
    answering: false,
    entries: [answer(3, 1), answer(9, 2)],
    retries: [retry(5, 2), retry(7, 2)],
  };
  expect(withRetries(transcript).entries.map(({ kind, seq }) => `${kind} ${seq}`)).toEqual([
    "text 3",
    "retry 5",
    "retry 7",
    "text 9",
  ]);
});

test("a transcript without any stays as it is", () => {
  const entries = [answer(3, 1)];
  expect(withRetries({ seq: 3, steps: 1, answering: false, entries }).entries).toBe(entries);
});

test("entries that an event leaves as they are stay the same objects, also those of retries", () => {
  const transcript = new PlacedTranscript({
    seq: 20,
    runId: "r",
    steps: 2,
    answering: true,
    entries: [answer(3, 1), answer(9, 2)],
    retries: [retry(5, 2)],
  });
  const before = withRetries(transcript.entries()).entries;
  transcript.add({ type: "text.delta", text: "more", seq: 21, runId: "r", time: 21 } as RunEvent);
  const after = withRetries(transcript.entries()).entries;
  expect(after).toHaveLength(4);
  expect(before.map((entry, index) => after[index] === entry)).toEqual([true, true, true]);
});
