export { type ListTestRunsOptions, listTestRuns } from "./log/list-test-runs.ts";
export { readTestRun } from "./log/read-test-run.ts";
export { testRunsFolder } from "./log/test-runs-folder.ts";
export type { Entry } from "./result/call.ts";
export type { TestPlan } from "./result/test-plan.ts";
export type { CaseResult, MetricSummary, TestRun, TestRunHeadline } from "./result/test-run.ts";
export type { Failure, MetricResult, TrialResult, TurnResult } from "./result/trial-result.ts";
export type { TestProgress } from "./run/test-progress.ts";
