import { clusteredRateDifference, type RatePair } from "@bridle/metrics";
import { makeHeadline, toTestRunHeadline } from "../log/headline.ts";
import type { TestRun } from "../result/test-run.ts";
import { compareCases } from "./compare-cases.ts";
import { comparisonWarnings, configurationDifference, planDifferences } from "./compare-plans.ts";
import type { Comparison } from "./comparison.ts";
import { certainty, completeUsd, figure, type MetricSide, metricChanges } from "./figures.ts";
import { findRegressions } from "./find-regressions.ts";

/**
 * Compares two invocations by the names of their cases. The backends may differ, because nothing that belongs to a host is compared, such
 * as ids of calls.
 *
 * @example compareTestRuns(readTestRun(folder, "previous"), readTestRun(folder, "newest")).cases
 */
export function compareTestRuns(before: TestRun, after: TestRun): Comparison {
  const was = new Map(before.cases.map((one) => [one.name, one]));
  const is = new Map(after.cases.map((one) => [one.name, one]));
  const names = new Set([...is.keys(), ...was.keys()]);
  const cases = [...names].map((name) => compareCases(name, was.get(name), is.get(name)));
  return {
    before: sideOf(before),
    after: sideOf(after),
    warnings: comparisonWarnings(before, after),
    differences: planDifferences(before.plan, after.plan),
    configuration: configurationDifference(before.plan, after.plan),
    passRate: passRateChange(before, after),
    durationMs: figure(before.durationMs, after.durationMs),
    costUsd: figure(completeUsd(before.summary.cost), completeUsd(after.summary.cost)),
    metrics: metricChanges(sideWithTrials(before), sideWithTrials(after)),
    regressions: findRegressions(cases),
    cases,
  };
}

function sideOf(run: TestRun): Comparison["before"] {
  const { cases: _, ...headline } = toTestRunHeadline(run, makeHeadline(run));
  return headline;
}

function passRateChange(before: TestRun, after: TestRun): Comparison["passRate"] {
  const change = figure(passRate(before), passRate(after));
  return { ...change, ...certainty(change, clusteredRateDifference(ratePairs(before, after)), "at-least") };
}

/** Returns the trials of each case, on both sides. */
function ratePairs(before: TestRun, after: TestRun): RatePair[] {
  const [was, is] = [ratesOf(before), ratesOf(after)];
  const none = { passed: 0, trials: 0 };
  return [...new Set([...was.keys(), ...is.keys()])].map((name) => ({
    before: was.get(name) ?? none,
    after: is.get(name) ?? none,
  }));
}

function ratesOf({ cases }: TestRun) {
  return new Map(cases.map(({ name, passed, trialsJudged }) => [name, { passed, trials: trialsJudged }]));
}

function sideWithTrials({ summary: { metrics }, cases }: TestRun): MetricSide {
  return { metrics, trials: cases.flatMap(({ trials }) => trials) };
}

function passRate({ summary, cases }: TestRun): number | null {
  return cases.some(({ trialsJudged }) => trialsJudged > 0) ? summary.passRate : null;
}
