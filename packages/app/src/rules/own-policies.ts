/** Reads the rules that a run had in addition to the project's rules, from the text of its rules in the event log. */
import { createPolicy, projectPolicySchema } from "@bridle/core";
import type { Policy } from "@bridle/protocol";
import { z } from "zod";

const rulesSchema = projectPolicySchema.extend({ unattended: z.boolean() });
const composedSchema = z.strictObject({ own: z.unknown(), runtime: z.unknown() });

/**
 * Returns the run's own rules, in the order in which they can deny: those of the agent file, then those of the caller. `isRuled` tells
 * whether the project has rules. Without project rules, the recorded text contains only the run's own rules.
 */
export function readOwnPolicies(
  snapshot: string | undefined,
  isRuled: boolean,
  agent: string | undefined,
): readonly Policy[] {
  const text = parseOrNothing(snapshot);
  const composed = composedSchema.safeParse(text);
  if (!composed.success) return isRuled ? [] : toPolicies(text, agent);
  return rulesSchema.safeParse(composed.data.runtime).success ? toPolicies(composed.data.own, agent) : [];
}

function toPolicies(text: unknown, agent: string | undefined): readonly Policy[] {
  const composed = composedSchema.safeParse(text);
  if (composed.success) return [...toPolicies(composed.data.runtime, agent), ...toPolicies(composed.data.own, agent)];
  const rules = rulesSchema.safeParse(text);
  // decisions that a program makes in code are not recorded
  return rules.success ? [createPolicy(rules.data, { agent, agents: [], tools: [], hasUnknownTools: true })] : [];
}

export function parseOrNothing(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
