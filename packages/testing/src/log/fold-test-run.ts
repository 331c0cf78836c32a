import { clusteredRate } from "@bridle/metrics";
import type { TestEvent } from "../result/test-event.ts";
import type { TestPlan } from "../result/test-plan.ts";
import type { CaseResult, TestRun, TestSummary } from "../result/test-run.ts";
import type { TrialResult } from "../result/trial-result.ts";
import { foldCase } from "./fold-case.ts";
import { expenseOf, judgesExpenseOf } from "./fold-expense.ts";
import { foldMetrics } from "./fold-metrics.ts";
import { meanStatistics } from "./fold-statistics.ts";

type Ended = Extract<TestEvent, { type: "ended" }>;
/** The events that are combined. The headline at the end is left out, because it is computed from the other events. */
export type FoldedEvent = Exclude<TestEvent, Ended> | Omit<Ended, "headline">;

/**
 * Returns the invocation that these events describe. The first event has to be `begun`. Of several events for the same case and trial, the
 * last is used; otherwise, the order of trials does not matter.
 *
 * Events do not show whether a process is still running the tests, so such an invocation is `unfinished` here.
 */
export function foldTestRun(events: readonly FoldedEvent[]): TestRun {
  const [begun] = events;
  if (begun?.type !== "begun") throw new TypeError("The events of an invocation begin with `begun`.");
  const last = events.at(-1);
  const end = last?.type === "ended" ? last : undefined;
  const plan = planIn(events, begun.plan);
  const cases = casesOf(plan, trialsOf(events));
  return {
    id: begun.id,
    startedAt: new Date(begun.time).toISOString(),
    endedAt: end ? new Date(end.time).toISOString() : null,
    durationMs: durationOf(events),
    resumed: events.filter(({ type }) => type === "resumed").length,
    state: stateAfter(end),
    stop: end?.stop ?? null,
    plan,
    summary: summaryOf(plan, cases),
    cases,
  };
}

/** Returns the state of an invocation. `end` is its last event if that is an end. */
export function stateAfter(end: { readonly stop: unknown } | undefined): "finished" | "unfinished" {
  return end?.stop === null ? "finished" : "unfinished";
}

/** Returns the plan of the last resumption that changed the plan. */
function planIn(events: readonly FoldedEvent[], first: TestPlan): TestPlan {
  const plans = events.flatMap((event) => (event.type === "resumed" && event.plan ? [event.plan] : []));
  return plans.at(-1) ?? first;
}

function trialsOf(events: readonly FoldedEvent[]): TrialResult[] {
  const newest = new Map<string, TrialResult>();
  for (const event of events) {
    if (event.type === "resumed") forget(newest, event.again ?? []);
    if (event.type === "trial") newest.set(JSON.stringify([event.result.case, event.result.trial]), event.result);
  }
  return [...newest.values()];
}

function forget(trials: Map<string, TrialResult>, cases: readonly string[]): void {
  for (const [key, trial] of trials) if (cases.includes(trial.case)) trials.delete(key);
}

/** Returns the planned cases in order, then other cases with results, so that no result is hidden. */
function casesOf(plan: TestPlan, trials: readonly TrialResult[]): CaseResult[] {
  const byCase = Map.groupBy(trials, (trial) => trial.case);
  const names = new Set([...plan.cases, ...[...byCase.keys()].sort()]);
  return [...names].map((name) => foldCase(name, byCase.get(name) ?? [], plan.trials));
}

/** Sums the times from each start or resumption to the last event before the next one. */
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
  const passed = sum(cases.map((one) => one.passed));
  return {
    cases: cases.length,
    passed: count("passed"),
    failed: count("failed"),
    errored: count("errored"),
    notRun: count("not-run"),
    flaky: cases.filter(({ flaky }) => flaky).length,
    passRate: judged === 0 ? 0 : passed / judged,
    passRateInterval: clusteredRate(cases.map((one) => ({ passed: one.passed, trials: one.trialsJudged }))) ?? null,
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
