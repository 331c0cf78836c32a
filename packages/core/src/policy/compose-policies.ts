import {
  allowAllTools,
  type Policy,
  type PolicyCall,
  type PolicyDecision,
  type RememberedAnswer,
} from "@bridle/protocol";
import { sha256 } from "../system/hash.ts";
import { parseDecision } from "./evaluate-policy.ts";

/**
 * Combines the rules of a session or run with the rules of its runtime, or of its agent's file. The session's rules decide, but
 * a call that the runtime denies stays denied. A tool that either disables is hidden from the model.
 */
export function composePolicies(own: Policy | undefined, runtime: Policy): Policy {
  if (!own) return runtime;
  return runtime === allowAllTools ? own : new ComposedPolicy(own, runtime);
}

class ComposedPolicy implements Policy {
  readonly id: string;
  readonly snapshot: string;
  readonly disabled: readonly string[];
  readonly parts: readonly [own: Policy, runtime: Policy];

  constructor(own: Policy, runtime: Policy) {
    this.parts = [own, runtime];
    this.snapshot = `{"own":${policySnapshot(own)},"runtime":${policySnapshot(runtime)}}`;
    this.id = sha256(this.snapshot);
    this.disabled = [...(own.disabled ?? []), ...(runtime.disabled ?? [])];
  }

  async evaluate(call: PolicyCall, remembered: readonly RememberedAnswer[]): Promise<PolicyDecision> {
    const [own, runtime] = this.parts;
    const outer = parseDecision(await runtime.evaluate(call, remembered)); // an invalid decision must not count as "not denied"
    return outer.decision === "deny" ? outer : own.evaluate(call, remembered);
  }

  checkNames(known: readonly string[]): void {
    for (const part of this.parts) part.checkNames?.(known);
  }
}

/** Whether rules are those of a policy, or a part of them. Equal rules have equal ids. */
export function isPartOf(rules: Policy, policy: Policy): boolean {
  if (rules.id === policy.id) return true;
  return policy instanceof ComposedPolicy && policy.parts.some((part) => isPartOf(rules, part));
}

/** The rules as JSON. Our snapshots are JSON; those of other policies may be any text. */
export function policySnapshot({ id, snapshot }: Policy): string {
  if (snapshot === undefined) return JSON.stringify(id);
  try {
    JSON.parse(snapshot);
    return snapshot;
  } catch {
    return JSON.stringify(snapshot);
  }
}
