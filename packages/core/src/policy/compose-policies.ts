import { allowAllTools, type Policy } from "@bridle/protocol";
import { sha256 } from "../system/hash.ts";
import { parseDecision } from "./evaluate-policy.ts";

/**
 * Combines the rules of a session or run with the rules of its runtime or its agent file. The session's rules decide, but a call that the
 * runtime denies stays denied. A tool that one of the two disables is hidden from the model.
 */
export function composePolicies(own: Policy | undefined, runtime: Policy): Policy {
  if (!own) return runtime;
  if (runtime === allowAllTools) return own;
  const snapshot = `{"own":${policySnapshot(own)},"runtime":${policySnapshot(runtime)}}`;
  const composed: Policy = {
    id: sha256(snapshot),
    snapshot,
    disabled: [...(own.disabled ?? []), ...(runtime.disabled ?? [])],
    async evaluate(call, remembered) {
      const outer = parseDecision(await runtime.evaluate(call, remembered)); // an invalid decision must not count as "not denied"
      return outer.decision === "deny" ? outer : own.evaluate(call, remembered);
    },
    checkNames(known, fieldsOf) {
      return [...(own.checkNames?.(known, fieldsOf) ?? []), ...(runtime.checkNames?.(known, fieldsOf) ?? [])];
    },
  };
  parts.set(composed, [own, runtime]);
  return composed;
}

/** The policies that each combined policy consists of. */
const parts = new WeakMap<Policy, readonly Policy[]>();

/** Whether a policy has the same rules as another policy or as a part of it. Equal rules have equal ids. */
export function isPartOfPolicy(rules: Policy, policy: Policy): boolean {
  return rules.id === policy.id || (parts.get(policy) ?? []).some((part) => isPartOfPolicy(rules, part));
}

/** Returns the rules as JSON. Bridle's snapshots are JSON; those of other policies may be any string. */
export function policySnapshot({ id, snapshot }: Policy): string {
  if (snapshot === undefined) return JSON.stringify(id);
  try {
    JSON.parse(snapshot);
    return snapshot;
  } catch {
    return JSON.stringify(snapshot);
  }
}
