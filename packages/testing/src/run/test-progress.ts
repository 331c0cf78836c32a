import type { TestPlan } from "../result/test-plan.ts";
import type { TestRun } from "../result/test-run.ts";
import type { TrialResult } from "../result/trial-result.ts";

/** What is told of an invocation while it goes on, without credentials. */
export type TestProgress =
  /** `finished` are the trials that an earlier process had run. */
  | { type: "begun"; id: string; plan: TestPlan; finished: readonly TrialResult[]; warnings: readonly string[] }
  | { type: "trial.started"; case: string; trial: number }
  | { type: "trial.finished"; result: TrialResult }
  /** A usage window is used up, and trials wait for it; `until` is in milliseconds since the epoch. */
  | { type: "waiting"; until: number; message: string }
  | { type: "ended"; run: TestRun };
