/** Assertions on an agent's runs in tests of Vitest. Importing it adds the matchers to `expect`. */

import type { MetricConfig } from "@bridle/agent";
import { expect } from "vitest";
import { type HowCalled, type MatcherFacts, matchers } from "./matchers.ts";

export { type AgentForTests, type AgentForTestsOptions, agentForTests } from "./agent-for-tests.ts";
export type { AgentConversation, Answer, AskOptions } from "./answer.ts";
export { type CaseTrial, testCaseNames } from "./cases.ts";

expect.extend(matchers);

declare module "vitest" {
  // biome-ignore lint/suspicious/noExplicitAny: declarations of one interface have the same parameters, and this is Vitest's
  interface Matchers<T = any> {
    /**
     * The agent called the tool, with these arguments at least; they may hold the matchers of `expected_tools`, such as
     * `{ fuzzy: "lamp" }`. On an answer.
     */
    toHaveCalled(tool: string, args?: HowCalled["args"], how?: Omit<HowCalled, "args">): T;
    /** A metric gives the answer a score that passes, as `evaluations` of an agent's file would. On an answer; asynchronous. */
    toScore(metric: MetricConfig, facts?: MatcherFacts): Promise<T>;
    /** All of a case is as its agent's file expects it. On what `case()` gives. */
    toPass(): T;
  }
}
