import type { Status } from "./status-schema.ts";

/** The rules in force in one line, for people. */
export function policySentence(policy: Status["policy"]): string {
  if (policy === null) return "none: what is handed over may run";
  const { mode, rules, disabled, from, asks } = policy;
  const counted = `${rules} ${rules === 1 ? "rule" : "rules"}`;
  const off = disabled.length === 0 ? "" : `, disabled: ${disabled.join(", ")}`;
  const asking = asks ? "where nobody can answer, ask is deny" : "nobody is asked: ask is deny";
  return `mode ${mode}, ${counted}${off} (${from}); ${asking}`;
}
