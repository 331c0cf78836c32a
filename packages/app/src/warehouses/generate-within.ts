import type { GenerateProposals } from "@bridle/context";
import type { AgentRuntime } from "@bridle/protocol";

/**
 * Asks the runtime for proposals. Within a budget of `tokens`, an invalid answer is not corrected, because corrections would exceed the
 * budget.
 */
export function generateWithin(tokens: number | undefined, runtime: AgentRuntime): GenerateProposals {
  const schemaRetries = tokens === undefined ? undefined : 0;
  return (request) => runtime.generateObject({ ...request, schemaRetries });
}
