/** Lists rules in order of precedence. */
import { resolveMode } from "@bridle/core";
import type { RuleFile, Rules } from "./rule-schemas.ts";

type OrderedRule = RuleFile["order"][number];

/** The strictest decision comes first, because it applies if a tool has several annotations. */
const strictestFirst = ["deny", "ask", "allow"];

/** Orders the rules so that the first one that matches a call applies to it. Remembered answers come before rules for tools. */
export function orderRules(rules: Rules, applies: AppliesRule = () => true): readonly OrderedRule[] {
  const { mode, unattended } = resolveMode(rules.mode ?? "normal");
  const given = { readOnly: "allow", destructive: "ask", openWorld: "ask", ...rules.annotations } as const;
  const annotations = (["destructive", "openWorld", "readOnly"] as const)
    .map((name) => ({ rule: `annotation:${name}`, subject: `tools that are ${name}`, decision: given[name] }))
    .toSorted((a, b) => strictestFirst.indexOf(a.decision) - strictestFirst.indexOf(b.decision));
  const ordered: OrderedRule[] = [
    ...(rules.disable ?? []).map((tool) => ({ rule: "disable", subject: tool, decision: "deny" as const })),
    ...annotations.filter(({ decision }) => decision === "deny"),
    ...byMode(mode, ownRules(rules, applies), annotations),
  ];
  return unattended ? ordered.map(withoutQuestion) : ordered;
}

type AppliesRule = (rule: NonNullable<Rules["rules"]>[number]) => boolean;

function ownRules({ rules = [] }: Rules, applies: AppliesRule): readonly OrderedRule[] {
  return rules.flatMap((given, index) => {
    if (!applies(given)) return [];
    const { tool, when = {}, agents, then } = given;
    const conditions = Object.entries(when).map(([key, value]) => `${key} ~ ${value}`);
    const ofTool = conditions.length === 0 ? tool : `${tool} with ${conditions.join(", ")}`;
    const subject = agents === undefined ? ofTool : `${ofTool} for ${agents.join(", ")}`;
    return [{ rule: `rules[${index}] ${tool}`, subject, decision: then }];
  });
}

function byMode(
  mode: ReturnType<typeof resolveMode>["mode"],
  own: readonly OrderedRule[],
  annotations: readonly OrderedRule[],
): readonly OrderedRule[] {
  const rule = `mode:${mode}`;
  const rest = [
    ...annotations.filter(({ decision }) => decision !== "deny"),
    { rule: "default", subject: "all other calls", decision: "ask" as const },
  ];
  switch (mode) {
    case "read-only":
      return [{ rule, subject: "tools that are not readOnly", decision: "deny" }, ...own, ...rest];
    case "ask":
      return [...untilLastDenial(own, { rule, decision: "ask" }), { rule, subject: "all calls", decision: "ask" }];
    case "auto":
      return [...own, { rule, subject: "tools that are not destructive", decision: "allow" }, ...rest];
    case "yolo":
      return [...untilLastDenial(own, { rule, decision: "allow" }), { rule, subject: "all calls", decision: "allow" }];
    case "normal":
      return [...own, ...rest];
  }
}

/**
 * Keeps the rules up to the last denial, because only denials precede such a mode. Calls that match an earlier rule are left to the mode.
 */
function untilLastDenial(
  own: readonly OrderedRule[],
  ofMode: Pick<OrderedRule, "rule" | "decision">,
): readonly OrderedRule[] {
  const last = own.findLastIndex(({ decision }) => decision === "deny");
  return own.slice(0, last + 1).map((each) => (each.decision === "deny" ? each : { ...each, ...ofMode }));
}

function withoutQuestion(rule: OrderedRule): OrderedRule {
  return rule.decision === "ask" ? { ...rule, decision: "deny" } : rule;
}
