import type { ToolAnnotations } from "../tools/tool.ts";
import type { RememberedAnswer } from "./permissions.ts";

/** A call that is about to run: its input has been parsed. */
export interface PolicyCall {
  /** The name as the model and the record have it: normalised (`my.tool` is `my_tool`). */
  tool: string;
  input: unknown;
  annotations: ToolAnnotations;
  /** True for a host's own tool that the caller opened. */
  builtin: boolean;
}

/**
 * `rule` names what decided; `reason` is told to the model when the call is denied, and to the person who is asked.
 * `everyTime` says of an `ask` that no remembered answer will spare the next one.
 */
export interface PolicyDecision {
  decision: "allow" | "ask" | "deny";
  rule: string;
  reason?: string;
  everyTime?: boolean;
}

/**
 * The rules that every tool call must pass, ours and the host's alike.
 *
 * Contract: `evaluate` decides without side effects. If it throws, rejects or returns anything else than a decision,
 * the call is denied. `ask` is a denial where nobody can answer.
 */
export interface Policy {
  /** Identifies the rules in force; equal rules have equal ids. */
  readonly id: string;
  /** The rules in force as text, for the record. */
  readonly snapshot?: string;
  /** Tools that are not offered at all. */
  readonly disabled?: readonly string[];
  /** `remembered` are the answers of people that hold for this call's run. */
  evaluate(call: PolicyCall, remembered: readonly RememberedAnswer[]): PolicyDecision | Promise<PolicyDecision>;
  /** Throws a ConfigError when a rule is about a tool that is none of these. Called before a run with tools begins. */
  checkNames?(known: readonly string[]): void;
}

/** Allows whatever was handed over; what was not handed over never reaches a policy. */
export const allowHandedOver: Policy = {
  id: "allow-handed-over",
  evaluate: () => ({ decision: "allow", rule: "handed-over" }),
};
