import { makeHeadline, toTestRunHeadline } from "../log/headline.ts";
import type { TestRun } from "../result/test-run.ts";
import { compareCases } from "./compare-cases.ts";
import { comparisonWarnings, configurationDifference, planDifferences } from "./compare-plans.ts";
import type { Comparison } from "./comparison.ts";
import { completeUsd, figure, metricChanges } from "./figures.ts";

/**
 * The differences between two invocations, by the names of cases. The backends may differ: nothing that belongs to a host is
 * compared, such as ids of calls.
 *
 * @example compareTestRuns(readTestRun(folder, "previous"), readTestRun(folder, "newest")).cases
 */
export function compareTestRuns(before: TestRun, after: TestRun): Comparison {
  const was = new Map(before.cases.map((one) => [one.name, one]));
  const is = new Map(after.cases.map((one) => [one.name, one]));
  const names = new Set([...is.keys(), ...was.keys()]);
  return {
    before: sideOf(before),
    after: sideOf(after),
    warnings: comparisonWarnings(before, after),
    differences: planDifferences(before.plan, after.plan),
    configuration: configurationDifference(before.plan, after.plan),
    passRate: figure(passRate(before), passRate(after)),
    durationMs: figure(before.durationMs, after.durationMs),
    costUsd: figure(completeUsd(before.summary.cost), completeUsd(after.summary.cost)),
    metrics: metricChanges(before.summary.metrics, after.summary.metrics),
    cases: [...names].map((name) => compareCases(name, was.get(name), is.get(name))),
  };
}

function sideOf(run: TestRun): Comparison["before"] {
  const { cases: _, ...headline } = toTestRunHeadline(run, makeHeadline(run));
  return headline;
}

function passRate({ summary, cases }: TestRun): number | null {
  return cases.some(({ trialsJudged }) => trialsJudged > 0) ? summary.passRate : null;
}
