import { canonicalJson } from "@bridle/protocol";
import type { TestPlan } from "../result/test-plan.ts";
import type { TestRun } from "../result/test-run.ts";
import type { Comparison } from "./comparison.ts";
import { unifiedLines } from "./unified-lines.ts";

/** Lists the differences between two plans, except for the configuration. */
export function planDifferences(before: TestPlan, after: TestPlan): Comparison["differences"] {
  const [was, is] = [facts(before), facts(after)];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...names]
    .map((what) => ({ what, before: was[what] ?? null, after: is[what] ?? null }))
    .filter((one) => one.before !== one.after);
}

function facts(plan: TestPlan): Readonly<Record<string, string | null>> {
  return {
    agent: plan.agent.name,
    backend: plan.backend,
    model: plan.model,
    rehearsal: plan.rehearsal,
    instructions: plan.instructions.version,
    "text of the instructions": plan.instructions.sha256.slice(0, 12),
    commit: plan.git && `${plan.git.commit}${plan.git.dirty ? ", with changes" : ""}`,
    trials: String(plan.trials),
    "rules of the project": plan.rules === null ? null : canonicalJson(plan.rules),
    "side effects": plan.allowSideEffects ? "allowed" : "denied",
    ...plan.versions,
    ...plan.contents,
  };
}

/** Returns the unified diff of the two agents' configurations. */
export function configurationDifference(before: TestPlan, after: TestPlan): string[] {
  return unifiedLines(linesOf(before), linesOf(after), 1);
}

function linesOf({ configuration }: TestPlan): string[] {
  return JSON.stringify(JSON.parse(canonicalJson(configuration)), null, 2).split("\n");
}

/** Explains why the figures of the two invocations may be misleading. */
export function comparisonWarnings(before: TestRun, after: TestRun): string[] {
  const [was, is] = [before.plan, after.plan];
  const warnings: (string | false)[] = [
    before.id === after.id && `Both are the invocation ${before.id}.`,
    was.agent.name !== is.agent.name &&
      `These are tests of two agents, ${was.agent.name} and ${is.agent.name}: cases with the same name may differ.`,
    (was.rehearsal === null) !== (is.rehearsal === null) &&
      `${was.rehearsal === null ? after.id : before.id} was a rehearsal: its answers come from a script, not from a model.`,
    was.trials !== is.trials &&
      `Cases ran ${times(was.trials)} before and ${times(is.trials)} after: a case passes only when all of its trials do.`,
    ...[before, after].map(incomplete),
  ];
  return warnings.filter((warning) => warning !== false);
}

function times(trials: number): string {
  return trials === 1 ? "once" : `${trials} times`;
}

function incomplete({ id, state, summary }: TestRun): string | false {
  if (state === "finished") return false;
  const how = state === "running" ? "is still running" : "is not finished";
  return `${id} ${how}: ${summary.notRun} of ${summary.cases} cases have no result yet.`;
}
