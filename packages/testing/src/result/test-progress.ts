import type { TestPlan } from "./test-plan.ts";
import type { TestRun } from "./test-run.ts";
import type { TrialResult } from "./trial-result.ts";

/** Progress of a running invocation, without credentials. */
export type TestProgress =
  /** `finished`: results of an earlier process. */
  | { type: "begun"; id: string; plan: TestPlan; finished: readonly TrialResult[]; warnings: readonly string[] }
  | { type: "trial.started"; case: string; trial: number }
  | { type: "trial.finished"; result: TrialResult }
  /** Trials wait for a used-up usage window; `until` is in milliseconds since the epoch. */
  | { type: "waiting"; until: number; message: string }
  | { type: "ended"; run: TestRun };
