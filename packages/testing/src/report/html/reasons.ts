/** Groups the reasons why cases failed: metrics by name, and other checks by kind. */
import type { CaseResult, TestRun } from "../../result/test-run.ts";
import type { FailureKind } from "../../result/trial-result.ts";
import { failuresOf, failureWords } from "../facts.ts";

export interface ReasonGroup {
  readonly name: string;
  /** The first failure of the group, as an example. */
  readonly example: string;
  readonly cases: readonly CaseResult[];
}

/** Returns the groups, those with the most cases first. A case can be in several groups. Pure. */
export function groupReasons({ cases }: Pick<TestRun, "cases">): readonly ReasonGroup[] {
  const groups = new Map<string, { example: string; cases: CaseResult[] }>();
  for (const result of cases) {
    for (const [name, example] of reasonsOf(result)) {
      const group = groups.get(name) ?? { example, cases: [] };
      group.cases.push(result);
      groups.set(name, group);
    }
  }
  return [...groups].map(([name, group]) => ({ name, ...group })).toSorted((a, b) => b.cases.length - a.cases.length);
}

/** Returns the names of a case's reasons, each with the first message. */
function reasonsOf(result: CaseResult): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  const metrics = result.trials.flatMap(({ turns }) => turns.flatMap((turn) => turn.metrics));
  const names = metrics.map(({ name }) => name).toSorted((a, b) => b.length - a.length);
  for (const { kind, message } of failuresOf(result)) {
    const metric = names.find((name) => isOf(name, kind, message));
    const name = metric === undefined ? failureWords[kind] : `${failureWords[kind]}: ${metric}`;
    if (!reasons.has(name)) reasons.set(name, message);
  }
  return reasons;
}

/** Whether a message is about the metric or check. Messages about metrics begin with the name; the rest may contain other names. */
function isOf(name: string, kind: FailureKind, message: string): boolean {
  if (kind === "metric") return message.startsWith(`${name}: `);
  return kind === "metric-error" && message.startsWith(`${name} could not `);
}
