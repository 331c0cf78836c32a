import type { TestEvent } from "../result/test-event.ts";
import type { TestPlan } from "../result/test-plan.ts";
import type { CaseResult, TestRun, TestSummary } from "../result/test-run.ts";
import type { TrialResult } from "../result/trial-result.ts";
import { foldCase } from "./fold-case.ts";
import { expenseOf, judgesExpenseOf } from "./fold-expense.ts";
import { foldMetrics } from "./fold-metrics.ts";
import { meanStatistics } from "./fold-statistics.ts";

type Ended = Extract<TestEvent, { type: "ended" }>;
/** Events as they are folded: what was kept of the end for lists says nothing new. */
export type FoldedEvent = Exclude<TestEvent, Ended> | Omit<Ended, "headline">;

/**
 * An invocation as its events tell it. The first has to be `begun`. Of a case and trial the last event counts; other than
 * that, the order of trials means nothing.
 *
 * That a process is at work on it now is not in the events: such an invocation is `unfinished` here.
 */
export function foldTestRun(events: readonly FoldedEvent[]): TestRun {
  const [begun] = events;
  if (begun?.type !== "begun") throw new TypeError("The events of an invocation begin with `begun`.");
  const last = events.at(-1);
  const end = last?.type === "ended" ? last : undefined;
  const cases = casesOf(begun.plan, trialsOf(events));
  return {
    id: begun.id,
    startedAt: new Date(begun.time).toISOString(),
    endedAt: end ? new Date(end.time).toISOString() : null,
    durationMs: durationOf(events),
    resumed: events.filter(({ type }) => type === "resumed").length,
    state: stateAfter(end),
    stop: end?.stop ?? null,
    plan: begun.plan,
    summary: summaryOf(begun.plan, cases),
    cases,
  };
}

/** What an invocation is whose last event is this end, or another event. */
export function stateAfter(end: { readonly stop: unknown } | undefined): "finished" | "unfinished" {
  return end?.stop === null ? "finished" : "unfinished";
}

function trialsOf(events: readonly FoldedEvent[]): TrialResult[] {
  const newest = new Map<string, TrialResult>();
  for (const event of events) {
    if (event.type === "trial") newest.set(JSON.stringify([event.result.case, event.result.trial]), event.result);
  }
  return [...newest.values()];
}

/** Those of the plan in its order; behind them what else there are results of, so that none is hidden. */
function casesOf(plan: TestPlan, trials: readonly TrialResult[]): CaseResult[] {
  const byCase = Map.groupBy(trials, (trial) => trial.case);
  const names = new Set([...plan.cases, ...[...byCase.keys()].sort()]);
  return [...names].map((name) => foldCase(name, byCase.get(name) ?? [], plan.trials));
}

/** From each beginning or resumption to the last event before the next one. */
function durationOf(events: readonly FoldedEvent[]): number {
  let [total, from, to] = [0, 0, 0];
  for (const { type, time } of events) {
    if (type === "begun" || type === "resumed") {
      total += to - from;
      from = time;
      to = time;
    }
    to = Math.max(to, time);
  }
  return total + to - from;
}

function summaryOf(plan: TestPlan, cases: readonly CaseResult[]): TestSummary {
  const trials = cases.flatMap((one) => one.trials);
  const count = (outcome: CaseResult["outcome"]) => cases.filter((one) => one.outcome === outcome).length;
  const judged = sum(cases.map(({ trialsJudged }) => trialsJudged));
  return {
    cases: cases.length,
    passed: count("passed"),
    failed: count("failed"),
    errored: count("errored"),
    notRun: count("not-run"),
    flaky: cases.filter(({ flaky }) => flaky).length,
    passRate: judged === 0 ? 0 : sum(cases.map(({ passed }) => passed)) / judged,
    statistics: meanStatistics(
      cases.map(({ statistics }) => statistics),
      plan.trials,
    ),
    metrics: foldMetrics(trials),
    ...expenseOf(trials),
    judges: judgesExpenseOf(trials),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
