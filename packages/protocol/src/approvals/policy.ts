import type { ToolAnnotations } from "../tools/tool-annotations.ts";
import type { RememberedAnswer } from "./permissions.ts";

/** A call that is about to run. Its input is parsed and valid. */
export interface PolicyCall {
  /** The tool's normalised name, as in the model's input and the event log: `my.tool` is `my_tool`. */
  tool: string;
  input: unknown;
  /** Complete: `resolveAnnotations` has filled in the values that the tool does not declare. */
  annotations: ToolAnnotations;
  /** True for one of the host's own tools. */
  builtin: boolean;
  callId: string;
  runId: string;
  /** The session of the run, if it has one. */
  sessionId?: string | undefined;
  /** The labels of the run. */
  labels?: Readonly<Record<string, string>> | undefined;
}

export interface PolicyDecision {
  decision: "allow" | "ask" | "deny";
  /** The name of the rule that decided. */
  rule: string;
  /** The reason, which is sent to the model if the call is denied, and shown to the user if the user is asked. */
  reason?: string;
  /** With `ask`: ask each time, even if an answer is remembered. */
  everyTime?: boolean;
}

/**
 * The rules that every tool call must pass, for the caller's tools and for the host's own.
 *
 * Contract: `evaluate` has no side effects. If it throws, rejects or returns anything except a decision, the call is denied. `ask` counts
 * as a denial if nobody can answer.
 *
 * @example
 * const officeHours: Policy = {
 *   id: "office-hours",
 *   evaluate: () =>
 *     new Date().getHours() < 18 ? { decision: "allow", rule: "open" } : { decision: "deny", rule: "closed" },
 * };
 */
export interface Policy {
  /** Identifies the rules. Equal rules have equal ids. */
  readonly id: string;
  /** The rules as text, for the event log. */
  readonly snapshot?: string;
  /** Tools that the model does not see. */
  readonly disabled?: readonly string[];
  /** Decides whether a call may run. `remembered` contains earlier answers that apply to the run. */
  evaluate(call: PolicyCall, remembered: readonly RememberedAnswer[]): PolicyDecision | Promise<PolicyDecision>;
  /**
   * Called before a run with tools begins. May return sentences about rules that match nothing; the run logs them as notices.
   * `fieldsOf` returns the names of a tool's inputs, if they are known.
   *
   * @throws ConfigError if a rule names a tool that is not in `known`.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a policy that checks nothing returns nothing
  checkNames?(known: readonly string[], fieldsOf?: FieldsOf): readonly string[] | void;
}

/** Returns the names of a tool's inputs; undefined if they are not known. */
export type FieldsOf = (tool: string) => readonly string[] | undefined;

/** Allows every tool that the caller passed to the run. Other tools never reach a policy. */
export const allowAllTools: Policy = {
  id: "allow-all",
  evaluate: () => ({ decision: "allow", rule: "allow-all" }),
};
