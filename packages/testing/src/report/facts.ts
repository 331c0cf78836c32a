/** Formats the facts at the beginning of every report as text. */
import { type Cost, counted, formatDuration } from "@bridle/protocol";
import { expenseOf } from "../log/fold-expense.ts";
import type { CaseOutcome } from "../result/headline.ts";
import type { CaseResult, TestRun, TestSummary } from "../result/test-run.ts";
import type { Failure, FailureKind, TrialResult } from "../result/trial-result.ts";
import { costWords, dollarWords, formatPercent, formatRateInterval, moment, tokenWords } from "./numbers.ts";

/** Formats the summary: `37 of 40 cases passed`, after `Not finished:` if not all have run. */
export function summaryLine({ state, summary: { cases, passed } }: TestRun): string {
  const unfinished = state === "finished" ? "" : "Not finished: ";
  if (passed === cases) return `${unfinished}${cases > 1 ? "all " : ""}${counted(cases, "case")} passed`;
  return `${unfinished}${passed} of ${counted(cases, "case")} passed`;
}

/** Returns the worst outcome of all cases, for the mark on the summary line. */
export function worstOutcome({ state, summary: { failed, errored, notRun } }: TestRun): CaseOutcome {
  if (failed > 0) return "failed";
  if (errored > 0) return "errored";
  return notRun > 0 || state !== "finished" ? "not-run" : "passed";
}

export const outcomeWords: Readonly<Record<CaseOutcome, string>> = {
  passed: "Passed",
  failed: "Failed",
  errored: "Host failed",
  "not-run": "Not run",
};

export const failureWords: Readonly<Record<FailureKind, string>> = {
  "empty-answer": "Empty answer",
  "no-checks": "Nothing was tested",
  "expected-tools": "Expected calls",
  "unknown-tool": "Unknown tool",
  "unknown-argument": "Unknown argument",
  "tool-denied": "Denied call",
  metric: "Metric",
  "metric-error": "Metric could not run",
  "out-of-steps": "Out of steps",
  timeout: "Timeout",
  setup: "Set-up",
  run: "Run failed",
  backend: "Host failed",
};

export type Fact = readonly [name: string, value: string];

/** Describes the agent and the options of the invocation. */
export function runFacts({ id, startedAt, resumed, plan }: TestRun): Fact[] {
  const { agent, git, versions } = plan;
  const facts: (Fact | false)[] = [
    ["Agent", `${agent.name} (${agent.file})`],
    ["Model", plan.model],
    ["Backend", plan.backend],
    plan.rehearsal !== null && ["Rehearsal", `${plan.rehearsal}: a script answered instead of the model`],
    ["Instructions", plan.instructions.version],
    git !== null && ["Commit", `${git.commit.slice(0, 12)}${git.dirty ? ", with uncommitted changes" : ""}`],
    ["Started", `${moment(startedAt)}${resumed > 0 ? `, resumed ${counted(resumed, "time")}` : ""}`],
    ["Trials per case", String(plan.trials)],
    ["Parallel trials", String(plan.parallel)],
    plan.allowSideEffects && ["Side effects", "allowed"],
    plan.failFast && ["Fail fast", "on"],
    [
      "Versions",
      Object.entries(versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(", "),
    ],
    ["Invocation", id],
  ];
  return facts.filter((fact) => fact !== false);
}

/** Describes the results in numbers. */
export function totalFacts({ durationMs, summary }: TestRun): Fact[] {
  const { usage } = summary;
  const parts = [costWords(summary.cost), judgesCost(summary)].filter((part) => part !== "");
  return [
    ["Pass rate", passRateWords(summary)],
    ["Flaky", counted(summary.flaky, "case")],
    ["Duration", formatDuration(durationMs)],
    ["Cost", parts.join(", ")],
    ["Tokens", tokenWords(usage)],
  ];
}

/** Formats a rate: `92.5% (95% interval: 80.1% to 97.4%)`. */
function passRateWords({ passRate, passRateInterval }: TestSummary): string {
  const rate = formatPercent(passRate);
  return passRateInterval === null ? rate : `${rate} (95% interval: ${formatRateInterval(passRateInterval)})`;
}

/** Formats the cost of judges: `including $0.0123 for judges`; empty if judges cost nothing or the cost is unknown. */
export function judgesCost({ judges }: TestSummary): string {
  if (judges.cost === null || judges.cost.usd === 0) return "";
  return `including ${dollarWords(judges.cost)} for judges`;
}

/** Sorts failed cases first, then host failures and cases that did not run, and otherwise by the order of the file. */
export function worstFirst(cases: readonly CaseResult[]): CaseResult[] {
  const order: readonly CaseOutcome[] = ["failed", "errored", "not-run", "passed"];
  return cases.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
}

/** A failure with its trial. */
export interface LocatedFailure extends Failure {
  readonly trial: number;
}

export function failuresOf({ trials }: CaseResult): LocatedFailure[] {
  return trials.flatMap(({ trial, failures }) => failures.map((failure) => ({ ...failure, trial })));
}

/** Formats ` (trial 2, turn 1)`, without numbers that are always 1. */
export function formatLocation({ trial, turn }: LocatedFailure, { trials }: CaseResult): string {
  const turns = trials.some((each) => each.turns.length > 1);
  const parts = [trials.length > 1 && `trial ${trial}`, turns && turn !== null && `turn ${turn}`];
  const told = parts.filter((part) => part !== false);
  return told.length > 0 ? ` (${told.join(", ")})` : "";
}

/** Returns the mean over the trials; 0 for a case that did not run. */
export function meanDuration({ trials }: CaseResult): number {
  return trials.length === 0 ? 0 : trials.reduce((sum, { durationMs }) => sum + durationMs, 0) / trials.length;
}

/** Returns the cost of all trials with their judges; `null` if no part is known or nothing ran. */
export function costOf(trials: readonly TrialResult[]): Cost | null {
  return trials.length === 0 ? null : expenseOf(trials).cost;
}
