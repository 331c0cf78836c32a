import { resolveMode } from "@bridle/core";
import { canonicalJson } from "@bridle/protocol";
import type { Rules } from "./rule-schemas.ts";

type ToolRule = NonNullable<Rules["rules"]>[number];
type Then = ToolRule["then"];

const strictness: Readonly<Record<Then, number>> = { allow: 0, ask: 1, deny: 2 };

/** For each mode, the modes that allow no additional calls. */
const stricterModes: Readonly<Record<string, readonly string[]>> = {
  yolo: ["yolo", "auto", "normal", "ask", "read-only"],
  auto: ["auto", "normal", "ask", "read-only"],
  normal: ["normal", "ask", "read-only"],
  ask: ["ask"],
  "read-only": ["read-only"],
};

/** The maximum length of a list of rules. Longer lists are not compared, and therefore not considered stricter. */
const maxListLength = 500;

/**
 * Whether the new rules allow no call that the old rules did not allow, and ask about every call that the old rules asked about. False if
 * in doubt. Without rules, the hosts' tools need consent, so missing rules are compared as the mode `normal`.
 */
export function areAtLeastAsStrict(after: Rules | undefined, before: Rules | undefined): boolean {
  if (after === undefined) return before === undefined;
  const [was, is] = [before ?? {}, after];
  return (
    isStricterMode(is, was) &&
    (was.disable ?? []).every((tool) => is.disable?.includes(tool)) &&
    (["readOnly", "destructive", "openWorld"] as const).every(
      (name) => strictness[annotationOf(is, name)] >= strictness[annotationOf(was, name)],
    ) &&
    toolsOf(is, was).every((tool) => keepsRules(rulesOf(is, tool), rulesOf(was, tool)))
  );
}

function isStricterMode(is: Rules, was: Rules): boolean {
  const [now, then] = [resolveMode(is.mode ?? "normal"), resolveMode(was.mode ?? "normal")];
  return (stricterModes[then.mode] ?? []).includes(now.mode) && (now.unattended || !then.unattended);
}

function annotationOf({ annotations = {} }: Rules, name: "readOnly" | "destructive" | "openWorld"): Then {
  return annotations[name] ?? (name === "readOnly" ? "allow" : "ask");
}

function toolsOf(...all: readonly Rules[]): string[] {
  return [...new Set(all.flatMap(({ rules = [] }) => rules.map(({ tool }) => tool)))];
}

function rulesOf({ rules = [] }: Rules, tool: string): readonly ToolRule[] {
  return rules.filter((rule) => rule.tool === tool);
}

/**
 * Whether the rules of one tool differ from the earlier ones only by steps that allow no additional call, given that the first matching
 * rule decides: removing a rule that allows, making a rule stricter, adding a denial, or adding a question that no denial follows.
 */
function keepsRules(after: readonly ToolRule[], before: readonly ToolRule[]): boolean {
  if (Math.max(after.length, before.length) > maxListLength) return false;
  let reached = new Set([0]); // how many of the earlier rules the steps account for
  const withoutAllowing = (places: Iterable<number>) => {
    const all = new Set(places);
    for (const place of all) if (before[place]?.then === "allow") all.add(place + 1);
    return all;
  };
  for (const rule of after) {
    const next = [...withoutAllowing(reached)].flatMap((place) => {
      const former = before[place];
      const isFormer =
        former !== undefined && isSameCondition(rule, former) && strictness[rule.then] >= strictness[former.then];
      return [...(isFormer ? [place + 1] : []), ...(mayCome(rule, before.slice(place)) ? [place] : [])];
    });
    reached = new Set(next);
  }
  return withoutAllowing(reached).has(before.length);
}

function mayCome({ then }: ToolRule, following: readonly ToolRule[]): boolean {
  if (then === "ask") return following.every((rule) => rule.then !== "deny");
  return then === "deny";
}

function isSameCondition({ then: _now, ...is }: ToolRule, { then: _then, ...was }: ToolRule): boolean {
  return canonicalJson(is) === canonicalJson(was);
}
