/**
 * Tests of agents: running their cases, and reading what came of it.
 *
 * @example
 * import { report, runTests } from "bridle/testing";
 */
export {
  type CaseResult,
  type Comparison,
  compareTestRuns,
  type Failure,
  type Grade,
  type Grader,
  type ListTestRunsOptions,
  listTestRuns,
  type MetricResult,
  type ReportForm,
  type RunTestsOptions,
  readTestRun,
  report,
  runTests,
  type TestProgress,
  type TestRun,
  type TestRunHeadline,
  type TrialResult,
  type TurnFacts,
  type TurnResult,
  testRunJsonSchema,
  testRunSchema,
  testRunsFolder,
} from "@bridle/testing";
