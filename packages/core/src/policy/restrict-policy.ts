import { allowAllTools, type Policy } from "@bridle/protocol";
import { sha256 } from "../system/hash.ts";
import { policySnapshot } from "./compose-policies.ts";
import { parseDecision } from "./evaluate-policy.ts";
import { strictestDecision } from "./policy-rules.ts";

/**
 * The rules of a nested run under those of its caller: the stricter decision counts. A tool that either disables is hidden from the
 * model. The caller's rules may name tools that the nested run does not have.
 */
export function restrictPolicy(own: Policy, caller: Policy): Policy {
  if (caller === allowAllTools) return own;
  const snapshot = `{"own":${policySnapshot(own)},"caller":${policySnapshot(caller)}}`;
  return {
    id: sha256(snapshot),
    snapshot,
    disabled: [...(own.disabled ?? []), ...(caller.disabled ?? [])],
    async evaluate(call, remembered) {
      const above = parseDecision(await caller.evaluate(call, remembered)); // an invalid decision must not count as "not denied"
      if (above.decision === "deny") return above;
      const decided = parseDecision(await own.evaluate(call, own === allowAllTools ? [] : remembered));
      return strictestDecision([decided, above]);
    },
    checkNames: (known) => own.checkNames?.(known),
  };
}
