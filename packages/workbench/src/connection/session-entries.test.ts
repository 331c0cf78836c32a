import type { SessionTranscript } from "@bridle/client";
import { expect, test } from "vitest";
import { withRetries } from "./session-entries.ts";

const place = (seq: number) => ({ runId: "r", seq, time: seq });
const answer = (seq: number, step: number) =>
  ({ kind: "text", text: `${seq}`, complete: true, step, ...place(seq) }) as const;
const retry = (seq: number, step: number) => ({
  ...{ ...place(seq), step, reason: "overloaded", attempt: 1, maxAttempts: 3 },
});

test("a response that was requested again has a row where it happened", () => {
  const transcript: SessionTranscript = {
    ...{ seq: 20, steps: 2, answering: false, entries: [answer(3, 1), answer(9, 2)] },
    retries: [retry(5, 2), retry(7, 2)],
  };
  expect(withRetries(transcript).entries.map(({ kind, seq }) => `${kind} ${seq}`)).toEqual([
    ...["text 3", "retry 5", "retry 7", "text 9"],
  ]);
});

test("a transcript without any stays as it is", () => {
  const entries = [answer(3, 1)];
  expect(withRetries({ seq: 3, steps: 1, answering: false, entries }).entries).toBe(entries);
});
