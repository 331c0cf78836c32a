import { mean } from "@bridle/metrics";
import { agentsExpenseOf } from "../log/fold-expense.ts";
import type { CaseOutcome } from "../result/headline.ts";
import type { CaseResult } from "../result/test-run.ts";
import type { TrialResult } from "../result/trial-result.ts";
import type { CaseChange, CaseComparison } from "./comparison.ts";
import { completeUsd, figure, metricChanges } from "./figures.ts";
import { transcriptLines } from "./transcript-lines.ts";
import { unifiedLines } from "./unified-lines.ts";

const nothing = { metrics: [], trials: [] };

/** Compares one case in two invocations, at least one of which contains the case. */
export function compareCases(name: string, before?: CaseResult, after?: CaseResult): CaseComparison {
  const each = (value: (trial: TrialResult) => number | null) => figure(average(before, value), average(after, value));
  return {
    name,
    change: changeOf(before?.outcome, after?.outcome),
    before: before?.outcome ?? null,
    after: after?.outcome ?? null,
    passRate: figure(passRate(before), passRate(after)),
    metrics: metricChanges(before ?? nothing, after ?? nothing),
    steps: each(({ turns }) => turns.reduce((sum, { steps }) => sum + steps, 0)),
    durationMs: each(({ turns }) => turns.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    costUsd: each((trial) => completeUsd(agentsExpenseOf([trial]).cost)),
    transcript: transcriptChange(before, after),
  };
}

function changeOf(before: CaseOutcome | undefined, after: CaseOutcome | undefined): CaseChange {
  if (before === undefined) return "added";
  if (after === undefined) return "removed";
  if (!isVerdict(before) || !isVerdict(after)) return "not-compared";
  if (before === after) return after === "passed" ? "still-passing" : "still-failing";
  return after === "passed" ? "fixed" : "broken";
}

function isVerdict(outcome: CaseOutcome): boolean {
  return outcome === "passed" || outcome === "failed";
}

/** Chooses the first trial of each invocation that shows its outcome. A case that did not run has none. */
function transcriptChange(before?: CaseResult, after?: CaseResult): CaseComparison["transcript"] {
  if (before?.outcome === after?.outcome) return null;
  const was = before?.trials.find(({ outcome }) => outcome === before.outcome);
  const is = after?.trials.find(({ outcome }) => outcome === after.outcome);
  if (was === undefined || is === undefined) return null;
  const lines = unifiedLines(transcriptLines(was.turns), transcriptLines(is.turns));
  return { beforeTrial: was.trial, afterTrial: is.trial, lines };
}

function passRate(one: CaseResult | undefined): number | null {
  return one === undefined || one.trialsJudged === 0 ? null : one.passed / one.trialsJudged;
}

/** Averages over the scored trials. Trials that ended with a host failure are left out. */
function average(one: CaseResult | undefined, value: (trial: TrialResult) => number | null): number | null {
  const values = (one?.trials ?? []).filter(({ outcome }) => outcome !== "errored").map(value);
  const known = values.filter((item) => item !== null);
  return known.length < values.length ? null : (mean(known) ?? null);
}
