/** The options of the functions for tests, checked by key and type. */
import { openAgentShape } from "@bridle/agent";
import { given, InvalidRequestError, type OptionsShape, optionsCheck } from "@bridle/protocol";
import { z } from "zod";
import type { ListTestRunsOptions } from "./log/list-test-runs.ts";
import type { ReportOptions } from "./report/report.ts";
import type { ExtendedTestsOptions } from "./run/run-tests-options.ts";
import type { AgentFixtureOptions } from "./vitest/agent-fixture.ts";
import type { AgentForTestsOptions } from "./vitest/agent-for-tests.ts";
import type { AskOptions } from "./vitest/answer.ts";

const { eventLog: _log, approve: _approve, ...ofAgent } = openAgentShape;

const testsShape: OptionsShape<ExtendedTestsOptions> = {
  ...ofAgent,
  cases: given.list.optional(),
  parallel: given.number.optional(),
  trials: given.number.optional(),
  failFast: given.flag.optional(),
  allowSideEffects: given.flag.optional(),
  judges: given.flag.optional(),
  resume: given.text.optional(),
  onProgress: given.callback.optional(),
  metricsOf: given.callback.optional(),
  contents: given.object.optional(),
};

const {
  signal: _signal,
  cases: _cases,
  parallel: _parallel,
  trials: _trials,
  failFast: _failFast,
  resume: _resume,
  onProgress: _onProgress,
  metricsOf: _metricsOf,
  contents: _contents,
  ...ofFixture
} = testsShape;

const fixtureShape: OptionsShape<AgentForTestsOptions> = {
  ...ofFixture,
  variables: given.object.optional(),
  openingMs: given.number.optional(),
};

const askShape: OptionsShape<AskOptions> = {
  files: given.list.optional(),
  groundTruth: z.union([z.string(), given.list]).optional(),
  retrievalContext: given.list.optional(),
  expectedTools: z.union([z.literal("none"), given.list]).optional(),
  expectedToolsMode: given.text.optional(),
};

export const checkTestsOptions = optionsCheck("runTests", testsShape, { error: InvalidRequestError });
export const checkAgentForTestsOptions = optionsCheck("agentForTests", fixtureShape);
export const checkCaseNamesOptions = optionsCheck<Pick<AgentFixtureOptions, "variables">>("testCaseNames", {
  variables: given.object.optional(),
});
export const checkAskOptions = optionsCheck("ask", askShape);
export const checkListOptions = optionsCheck<ListTestRunsOptions>("listTestRuns", {
  last: given.number.optional(),
  before: given.text.optional(),
  onUnreadable: given.callback.optional(),
});
export const checkReportOptions = optionsCheck<ReportOptions>("report", { previous: given.object.optional() });
