import type { ToolAnnotations } from "./tool.ts";

/** A call that is about to run: its input has been parsed. */
export interface PolicyCall {
  /** The name as the model and the record have it: normalised (`my.tool` is `my_tool`). */
  tool: string;
  input: unknown;
  annotations: ToolAnnotations;
  /** True for a host's own tool that the caller opened. */
  builtin: boolean;
}

/** `rule` names what decided; `reason` is told to the model when the call is denied. */
export interface PolicyDecision {
  decision: "allow" | "deny";
  rule: string;
  reason?: string;
}

/**
 * The rules that every tool call must pass, ours and the host's alike.
 *
 * Contract: `evaluate` decides without side effects. If it throws, rejects or returns anything else than `allow`,
 * the call is denied.
 */
export interface Policy {
  /** Identifies the rules in force; equal rules have equal ids. */
  readonly id: string;
  evaluate(call: PolicyCall): PolicyDecision | Promise<PolicyDecision>;
}

/** Allows whatever was handed over; what was not handed over never reaches a policy. */
export const allowHandedOver: Policy = {
  id: "allow-handed-over",
  evaluate: () => ({ decision: "allow", rule: "handed-over" }),
};
