import type { RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { describeInterruptedEnd } from "./interrupted-run.ts";

test("a run has no negative duration if the clock was set back", () => {
  const at = (seq: number, time: number): RunEvent => ({
    ...{ seq, time, runId: "a", type: "notice" },
    ...{ level: "info", code: "c", message: "m" },
  });
  expect(describeInterruptedEnd([at(1, 5000), at(2, 1000)], "the process 7").durationMs).toBe(0);
  expect(describeInterruptedEnd([at(1, 5000), at(2, 9000)], "the process 7").durationMs).toBe(4000);
});
