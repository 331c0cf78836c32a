import type { ApiRun } from "@bridle/client";
import type { ErrorReport } from "@bridle/protocol";
import { expect, test } from "vitest";
import type { ShownTranscript } from "../connection/session-entries.ts";
import { describeCut, describeEnd, isAbandoned, isRunning } from "./run-state.ts";

type Result = NonNullable<ShownTranscript["result"]>;
const ended = (stopReason: Result["stopReason"], error?: ErrorReport) => ({
  runId: "r",
  result: { stopReason, error } as Result,
});

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
  const died = { name: "ProcessDiedError", code: "process_died", message: "It ended.", retryable: false };
  expect(describeEnd(ended("error", died))).toBe("The run was interrupted. It ended.");
});

test("the reason why an answer was cut off is that of its run", () => {
  expect(describeCut({ stopReason: "stopped", error: null })).toBe("its run was stopped");
  expect(describeCut({ stopReason: "error", error: "The account has no credit." })).toMatch(/failed, The account/);
  const { result } = ended("error", { name: "ProcessDiedError", code: "process_died", message: "", retryable: false });
  expect(describeCut({ stopReason: "error", error: "", result: result as ApiRun["result"] })).toMatch(/interrupted/);
  expect(describeCut({ stopReason: null, error: null })).toMatch(/broke off/);
});

test("a call without an end is abandoned when its run has ended, and when another run has begun", () => {
  const call = { kind: "tool", callId: "c", tool: "look", input: {}, step: 1, progress: [], seq: 3, time: 0 } as const;
  const running = { seq: 3, entries: [], steps: 1, answering: false, runId: "r" };
  const isLost = (state: "running" | "succeeded", runId: string, transcript: ShownTranscript = running) =>
    isAbandoned(transcript, { ...call, state, runId });
  expect([isLost("running", "r"), isLost("running", "earlier"), isLost("succeeded", "earlier")]).toEqual([
    false,
    true,
    false,
  ]);
  expect(isLost("running", "r", { ...running, result: ended("stopped").result })).toBe(true);
});
