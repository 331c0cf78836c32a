/**
 * Assertions about an agent's runs in Vitest. Importing this module adds the matchers to `expect`.
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
