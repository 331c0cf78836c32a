import type { Status } from "./status-schema.ts";

/** Describes the rules in one line of text. */
export function policySentence(policy: Status["policy"]): string {
  if (policy === null) return "none: every tool that you pass to a run may be called";
  const { mode, rules, disabled, from, asks } = policy;
  const counted = `${rules} ${rules === 1 ? "rule" : "rules"}`;
  const off = disabled.length === 0 ? "" : `, disabled: ${disabled.join(", ")}`;
  const asking = asks ? "ask means deny if no approver is present" : "ask always means deny";
  return `mode ${mode}, ${counted}${off} (${from}); ${asking}`;
}
