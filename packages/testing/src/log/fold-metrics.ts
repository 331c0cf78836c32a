import { bootstrapMean, type Interval, mean, sampleDeviation } from "@bridle/metrics";
import type { MetricSummary } from "../result/test-run.ts";
import type { MetricResult, TrialResult } from "../result/trial-result.ts";

/** Returns the summary of each metric over all turns of the trials, in the order of first use. */
export function foldMetrics(trials: readonly TrialResult[]): MetricSummary[] {
  const uses = trials.flatMap((trial) => metricsOf(trial).map((result) => ({ case: trial.case, result })));
  return [...Map.groupBy(uses, ({ result }) => result.name).values()].map(foldMetric);
}

interface Use {
  readonly case: string;
  readonly result: MetricResult;
}

function metricsOf({ turns }: TrialResult): readonly MetricResult[] {
  return turns.flatMap(({ metrics }) => metrics);
}

/** Returns the scores of each case, by metric. Errors have no score. */
export function scoresByCase(trials: readonly TrialResult[], metric: string): Map<string, readonly number[]> {
  const byCase = Map.groupBy(trials, (trial) => trial.case);
  const scoresOf = (own: readonly TrialResult[]) =>
    own.flatMap(metricsOf).flatMap(({ name, score }) => (name === metric && score !== null ? [score] : []));
  return new Map([...byCase].map(([name, own]) => [name, scoresOf(own)]));
}

/** Returns the interval of the mean. For scores without a unit, it is within 0 to 1, as the scores are. */
function intervalOf(cases: readonly Use[][], isShare: boolean): Interval | undefined {
  const found = bootstrapMean(cases.map((own) => own.flatMap(({ result }) => result.score ?? [])));
  if (found === undefined || !isShare) return found;
  return { low: Math.max(0, found.low), high: Math.min(1, found.high) };
}

function foldMetric(uses: Use[]): MetricSummary {
  const results = uses.map(({ result }) => result);
  const [first] = results as [MetricResult]; // each group has at least one score
  const cases = [...Map.groupBy(uses, (use) => use.case).values()];
  const scores = results.flatMap(({ score }) => score ?? []);
  const count = (outcome: MetricResult["outcome"]) => results.filter((one) => one.outcome === outcome).length;
  return {
    name: first.name,
    unit: first.unit,
    passes: first.passes,
    threshold: results.every(({ threshold }) => threshold === first.threshold) ? first.threshold : null,
    mean: mean(scores) ?? null,
    interval: intervalOf(cases, first.unit === null) ?? null,
    deviation: sampleDeviation(scores) ?? null,
    min: scores.length === 0 ? null : scores.reduce((a, b) => Math.min(a, b)),
    max: scores.length === 0 ? null : scores.reduce((a, b) => Math.max(a, b)),
    scores: scores.length,
    passed: count("passed"),
    failed: count("failed"),
    errored: count("errored"),
  };
}
