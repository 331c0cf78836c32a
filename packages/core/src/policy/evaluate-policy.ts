import {
  allowAllTools,
  getErrorMessage,
  type PermissionStore,
  type Policy,
  type PolicyDecision,
} from "@bridle/protocol";
import { z } from "zod";
import { applicableAnswers, type IdentifiedCall } from "./applicable-answers.ts";

const decisionSchema = z.object({
  decision: z.enum(["allow", "ask", "deny"]),
  rule: z.string(),
  reason: z.string().optional(),
  everyTime: z.boolean().optional(),
});

/** Parses a policy's decision, because anyone can write a policy. Throws ZodError for an invalid decision. */
export function parseDecision(given: unknown): PolicyDecision {
  const { decision, rule, reason, everyTime } = decisionSchema.parse(given);
  return { decision, rule, ...(reason !== undefined && { reason }), ...(everyTime && { everyTime }) };
}

/**
 * Decides by the rules and the remembered answers about the same tool. If evaluating one of them fails, the call is denied. Without rules,
 * remembered answers do not apply.
 */
export async function evaluatePolicy(
  policy: Policy,
  call: IdentifiedCall,
  permissions: Pick<PermissionStore, "read">,
): Promise<PolicyDecision> {
  try {
    if (policy === allowAllTools) return await policy.evaluate(call, []);
    return parseDecision(await policy.evaluate(call, applicableAnswers(await permissions.read(), call)));
  } catch (error) {
    const problem = error instanceof z.ZodError ? z.prettifyError(error) : getErrorMessage(error);
    return { decision: "deny", rule: "policy-failed", reason: `The policy failed: ${problem}` };
  }
}
