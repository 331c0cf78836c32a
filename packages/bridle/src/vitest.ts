/**
 * Assertions on an agent's runs in tests of Vitest. Importing it adds the matchers to `expect`.
 *
 * @example
 * import { agentForTests } from "bridle/vitest";
 */
export {
  type AgentConversation,
  type AgentFixtureOptions,
  type AgentForTests,
  type AgentForTestsOptions,
  type Answer,
  type AskOptions,
  agentForTests,
  type CaseTrial,
  type InvocationOption,
  testCaseNames,
} from "@bridle/testing/vitest";
