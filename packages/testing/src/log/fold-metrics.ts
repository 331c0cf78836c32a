import { mean, sampleDeviation } from "@bridle/metrics";
import type { MetricSummary } from "../result/test-run.ts";
import type { MetricResult, TrialResult } from "../result/trial-result.ts";

/** The summary of each metric over all turns of the trials, in the order of first use. */
export function foldMetrics(trials: readonly TrialResult[]): MetricSummary[] {
  const results = trials.flatMap(({ turns }) => turns.flatMap(({ metrics }) => metrics));
  return [...Map.groupBy(results, ({ name }) => name).values()].map(foldMetric);
}

function foldMetric(results: MetricResult[]): MetricSummary {
  const [first] = results as [MetricResult]; // a group has at least one
  const scores = results.flatMap(({ score }) => score ?? []);
  const count = (outcome: MetricResult["outcome"]) => results.filter((one) => one.outcome === outcome).length;
  return {
    name: first.name,
    unit: first.unit,
    passes: first.passes,
    threshold: results.every(({ threshold }) => threshold === first.threshold) ? first.threshold : null,
    mean: mean(scores) ?? null,
    deviation: sampleDeviation(scores) ?? null,
    min: scores.length === 0 ? null : scores.reduce((a, b) => Math.min(a, b)),
    max: scores.length === 0 ? null : scores.reduce((a, b) => Math.max(a, b)),
    scores: scores.length,
    passed: count("passed"),
    failed: count("failed"),
    errored: count("errored"),
  };
}
