/**
 * Tests of agents: running cases and reading their results.
 *
 * @example
 * import { report, runTests } from "bridle/testing";
 */
export {
  type Call,
  type CallEntry,
  type CaseConfig,
  type CaseResult,
  type Comparison,
  compareTestRuns,
  type ExpectedToolConfig,
  type Failure,
  type FileInput,
  type Grade,
  type Grader,
  type ListTestRunsOptions,
  listTestRuns,
  type MetricResult,
  type ReportForm,
  type ReportOptions,
  type RunTestsOptions,
  readTestRun,
  report,
  runTests,
  type TestPlan,
  type TestProgress,
  type TestRun,
  type TestRunHeadline,
  type TrialResult,
  type TurnConfig,
  type TurnFacts,
  type TurnResult,
  testRunJsonSchema,
  testRunSchema,
  testRunsFolder,
} from "@bridle/testing";
