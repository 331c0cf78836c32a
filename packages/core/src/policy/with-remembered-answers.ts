import { override, type Policy } from "@bridle/protocol";
import { parseDecision } from "./evaluate-policy.ts";
import { requirePolicy } from "./given-policy.ts";
import { findAnswer } from "./policy-rules.ts";

/**
 * Adds remembered answers to your own policy, as in `createPolicy`: a remembered denial always applies, and a remembered permission answers
 * `ask`, unless the policy asks every time.
 *
 * @example
 * const policy = withRememberedAnswers({ id: "ask", evaluate: () => ({ decision: "ask", rule: "always-ask" }) });
 */
export function withRememberedAnswers(policy: Policy): Policy {
  requirePolicy("withRememberedAnswers", policy);
  return override(policy, {
    async evaluate(call, remembered) {
      const decision = parseDecision(await policy.evaluate(call, remembered));
      if (decision.decision === "deny") return decision;
      const denial = findAnswer(remembered, call, "deny");
      if (denial) return denial;
      if (decision.decision === "allow" || decision.everyTime) return decision;
      return findAnswer(remembered, call, "allow") ?? decision;
    },
  });
}
