import type { SessionTranscript } from "@bridle/client";
import { expect, test } from "vitest";
import { describeEnd, isRunning } from "./run-state.ts";

type Result = NonNullable<SessionTranscript["result"]>;
const ended = (stopReason: Result["stopReason"]) => ({ runId: "r", result: { stopReason } as Result });

test("a session without a run, and one whose run has ended, is not running", () => {
  expect(isRunning(undefined)).toBe(false);
  expect(isRunning({})).toBe(false);
  expect(isRunning({ runId: "r" })).toBe(true);
  expect(isRunning(ended("natural"))).toBe(false);
});

test("only an end that a person should know of is described", () => {
  expect(describeEnd(ended("natural"))).toBeUndefined();
  expect(describeEnd(ended("stopped"))).toBe("Stopped.");
  expect(describeEnd(ended("budget"))).toMatch(/budget/);
  expect(describeEnd(ended("error"))).toMatch(/failed/);
});
