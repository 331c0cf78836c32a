/** The rules that a run had besides those of its project, from the text of its rules in the event log. */
import { createPolicy, projectPolicySchema } from "@bridle/core";
import type { Policy } from "@bridle/protocol";
import { z } from "zod";

const rulesSchema = projectPolicySchema.extend({ unattended: z.boolean() });
const composedSchema = z.strictObject({ own: z.unknown(), runtime: z.unknown() });

/**
 * The rules of the run itself, in the order in which they can deny: of an agent's file, then of the caller. `isRuled`: whether the
 * project has rules. Without them, a run has only its own.
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
  return rules.success ? [createPolicy(rules.data, { agent, agents: [], tools: [], hasUnknownTools: true })] : []; // what a program decides by its own code is not on record
}

export function parseOrNothing(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
