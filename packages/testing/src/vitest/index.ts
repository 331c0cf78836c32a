/** Assertions about an agent's runs for Vitest. Importing this module adds the matchers to `expect`. */

import type { MetricConfig } from "@bridle/agent";
import { expect } from "vitest";
import { type HowCalled, type MatcherFacts, matchers } from "./matchers.ts";

export { type AgentForTests, type AgentForTestsOptions, agentForTests } from "./agent-for-tests.ts";
export type { AgentConversation, Answer, AskOptions } from "./answer.ts";
export { type CaseTrial, testCaseNames } from "./cases.ts";

expect.extend(matchers);

// Vitest 4 and 5 declare `Matchers` with different type parameters, so no declaration of it matches both. Both give every assertion the
// methods of Chai's interface.
declare global {
  namespace Chai {
    interface Assertion {
      /**
       * For an answer: the agent called the tool with at least these arguments, and the call succeeded. The arguments may contain the
       * matchers of `expected_tools`, such as `{ contains: "lamp" }`. With `.not`, failed calls are calls, too.
       */
      toHaveCalled(tool: string, args?: HowCalled["args"], how?: Omit<HowCalled, "args">): void;
      /** For an answer: the score of a metric passes, as in `evaluations` in an agent file. Asynchronous. */
      toScore(metric: MetricConfig, facts?: MatcherFacts): Promise<void>;
      /** For the result of `case()`: the case passed. */
      toPass(): void;
    }
  }
}

export type { AgentFixtureOptions, InvocationOption } from "./agent-fixture.ts";
