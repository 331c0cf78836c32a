export { testRunsFolder } from "@bridle/project";
export type { CaseConfig, ExpectedToolConfig, FileInput, TurnConfig } from "./checks/case-config.ts";
export { compareTestRuns } from "./compare/compare-test-runs.ts";
export {
  type CaseChange,
  type CaseComparison,
  type Comparison,
  comparisonSchema,
  type Figure,
  type MetricChange,
} from "./compare/comparison.ts";
export { unifiedLines } from "./compare/unified-lines.ts";
export { idBefore, isResultFile } from "./log/find-test-run.ts";
export { caseOutcome } from "./log/fold-case.ts";
export { foldTestRun } from "./log/fold-test-run.ts";
export { type ListTestRunsOptions, listTestRuns } from "./log/list-test-runs.ts";
export { readTestRun } from "./log/read-test-run.ts";
export type { Grade, Grader } from "./metrics/grader.ts";
export { failGrader } from "./metrics/isolate-grader.ts";
export type { ExtendedTestsOptions, RunTestsOptions } from "./plan/run-tests-options.ts";
export { testWarnings } from "./plan/test-warnings.ts";
export { testRunJsonSchema } from "./report/json.ts";
export {
  formatChangeInterval,
  formatDelta,
  formatMean,
  formatPair,
  formatPercent,
  formatRateInterval,
  formatScore,
  formatScoreInterval,
  formatThreshold,
  none,
  scoreBeside,
} from "./report/numbers.ts";
export { type ReportForm, type ReportOptions, report } from "./report/report.ts";
export type { Call, CallEntry } from "./result/call.ts";
export { MetricError, type PlannedMetric } from "./result/planned-metric.ts";
export type { TestPlan } from "./result/test-plan.ts";
export type { TestProgress } from "./result/test-progress.ts";
export {
  type CaseResult,
  caseResultSchema,
  type MetricSummary,
  type TestRun,
  type TestRunHeadline,
  testRunHeadlineSchema,
  testRunSchema,
} from "./result/test-run.ts";
export {
  type TestRunOverview,
  testRunOverviewSchema,
  toOverview,
  toTrialOverview,
} from "./result/test-run-overview.ts";
export type { Failure, MetricResult, TrialResult, TurnResult } from "./result/trial-result.ts";
export type { TurnFacts } from "./result/turn-facts.ts";
export { runExtendedTests, runTests } from "./run/run-tests.ts";
