import { allowHandedOver, type Policy } from "@bridle/protocol";
import { sha256 } from "../system/hash.ts";
import { parseDecision } from "./evaluate-policy.ts";

/**
 * The rules of one session or run over those of its runtime: they decide, but what the runtime denies stays denied, and
 * what either takes out of the offer is not offered.
 */
export function composePolicies(own: Policy | undefined, runtime: Policy): Policy {
  if (!own) return runtime;
  if (runtime === allowHandedOver) return own;
  const snapshot = `{"own":${textOf(own)},"runtime":${textOf(runtime)}}`;
  return {
    id: sha256(snapshot),
    snapshot,
    disabled: [...(own.disabled ?? []), ...(runtime.disabled ?? [])],
    async evaluate(call, remembered) {
      const outer = parseDecision(await runtime.evaluate(call, remembered)); // what is no decision must not count as "not denied"
      return outer.decision === "deny" ? outer : own.evaluate(call, remembered);
    },
    checkNames(known) {
      own.checkNames?.(known);
      runtime.checkNames?.(known);
    },
  };
}

/** A policy is anyone's: what it gives as its rules is JSON where ours made it, and else a text. */
function textOf({ id, snapshot }: Policy): string {
  if (snapshot === undefined) return JSON.stringify(id);
  try {
    JSON.parse(snapshot);
    return snapshot;
  } catch {
    return JSON.stringify(snapshot);
  }
}
