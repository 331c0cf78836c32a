/** Converts a project's rules to the form in which the user edits them, and back. */
import type { ApiRules } from "@bridle/client";

export type ProjectRules = NonNullable<ApiRules["rules"]>;
export type RuleLine = NonNullable<ProjectRules["rules"]>[number];
export type Decided = RuleLine["then"];

export const decisions: readonly Decided[] = ["allow", "ask", "deny"];

/** The policy modes, each with its meaning. */
export const modes: readonly (readonly [NonNullable<ProjectRules["mode"]>, string])[] = [
  ["read-only", "only tools that read"],
  ["ask", "ask about everything that changes something"],
  ["normal", "ask about calls that may destroy data or reach outside"],
  ["auto", "allow all calls except those that may destroy data"],
  ["yolo", "allow everything that no rule denies"],
];

export const annotationNames = ["readOnly", "destructive", "openWorld"] as const;
export const annotationWords: Readonly<Record<(typeof annotationNames)[number], string>> = {
  readOnly: "Tools that only read",
  destructive: "Tools that may destroy data",
  openWorld: "Tools that reach outside of this machine",
};

/** A line of the form. It has one condition per line of text: `amount: /^\d{1,3}$/`. */
export interface EditedLine {
  readonly key: number;
  readonly tool: string;
  readonly when: string;
  /** The agents that the rule is limited to. The form does not change them. */
  readonly agents?: readonly string[] | undefined;
  readonly then: Decided;
}

export function toEditedLine(key: number, { tool, when = {}, agents, then }: RuleLine): EditedLine {
  const conditions = Object.entries(when).map(([path, expression]) => `${path}: ${expression}`);
  return { key, tool, when: conditions.join("\n"), agents, then };
}

/**
 * Converts a line of the form to a rule. A line without a tool is skipped. A condition without a colon is converted to one without a
 * pattern, which `problemOf` reports.
 */
export function toRuleLine({ tool, when, agents, then }: EditedLine): RuleLine | undefined {
  if (tool.trim() === "") return undefined;
  const conditions = when.split("\n").filter((line) => line.trim() !== "");
  const pairs = conditions.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return colon < 0 ? [line.trim(), ""] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
  return {
    tool: tool.trim(),
    ...(pairs.length > 0 && { when: Object.fromEntries(pairs) }),
    ...(agents && { agents }),
    then,
  };
}

/** Describes the problem with a line for the user, if there is one. */
export function problemOf({ tool, when }: EditedLine): string | undefined {
  if (tool.trim() === "") return "Name the tool that this rule is about, or remove the rule.";
  const bad = when.split("\n").find((line) => line.trim() !== "" && !/^[^:]+:\s*\S/.test(line));
  return bad === undefined ? undefined : `Write a condition as "field: pattern", not "${bad.trim()}".`;
}

/** Returns the rules with the lines of the form in place of their own. */
export function withLines(rules: ProjectRules, lines: readonly EditedLine[]): ProjectRules {
  const { rules: _before, ...rest } = rules;
  const written = lines.flatMap((line) => toRuleLine(line) ?? []);
  return written.length === 0 ? rest : { ...rest, rules: written };
}

/** Returns the rules to save. Removes the block if it becomes empty, so that deleting the only rule leaves no trace. */
export function toSavedRules(written: ProjectRules, current: ProjectRules | null): ProjectRules | null {
  const hadSome = current === null || Object.keys(current).length > 0;
  return hadSome && Object.keys(written).length === 0 ? null : written;
}

/** Explains the effect of adding the first rule or removing the last one: the mode applies to calls that no rule matches. */
export function describeTurn(current: ProjectRules | null, saved: ProjectRules | null): string | undefined {
  if (current !== null && saved === null) return "No rules are left, so every tool that an agent has may be called.";
  if (current !== null || saved === null) return undefined;
  return `Until now every tool could be called. The mode ${saved.mode ?? "normal"} now decides about calls that no rule is about.`;
}
