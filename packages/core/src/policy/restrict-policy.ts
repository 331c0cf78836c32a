import { allowAllTools, type PermissionStore, type Policy, type RememberedAnswer } from "@bridle/protocol";
import { sha256 } from "../system/hash.ts";
import type { IdentifiedCall } from "./applicable-answers.ts";
import { policySnapshot } from "./compose-policies.ts";
import { evaluatePolicy, parseDecision } from "./evaluate-policy.ts";
import { strictestDecision } from "./policy-rules.ts";

/** The rules of a run, and the remembered answers that they count. */
interface CallerRules {
  readonly policy: Policy;
  readonly permissions: Pick<PermissionStore, "read">;
  /** The names that the caller's rules may have. */
  readonly knownTools: readonly string[];
}

/**
 * The rules of a nested run under those of its caller: the stricter decision counts. A tool that either disables is hidden from the
 * model. Either may have rules about tools of the other, and only the caller's remembered answers apply to them.
 */
export function restrictPolicy(own: Policy, caller: CallerRules): Policy {
  if (caller.policy === allowAllTools) return own;
  const snapshot = `{"own":${policySnapshot(own)},"caller":${policySnapshot(caller.policy)}}`;
  return {
    id: sha256(snapshot),
    snapshot,
    disabled: [...(own.disabled ?? []), ...(caller.policy.disabled ?? [])],
    async evaluate(call: IdentifiedCall, remembered: readonly RememberedAnswer[]) {
      const above = await evaluatePolicy(caller.policy, call, caller.permissions);
      if (above.decision === "deny") return above;
      const decided = parseDecision(await own.evaluate(call, own === allowAllTools ? [] : remembered));
      return strictestDecision([decided, above]);
    },
    checkNames: (known) => own.checkNames?.([...known, ...caller.knownTools]),
  };
}
