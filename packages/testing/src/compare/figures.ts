import { bootstrapDifference, type Interval } from "@bridle/metrics";
import type { Cost, Direction } from "@bridle/protocol";
import { scoresByCase } from "../log/fold-metrics.ts";
import type { MetricSummary } from "../result/test-run.ts";
import type { TrialResult } from "../result/trial-result.ts";
import type { Figure, MetricChange, Verdict } from "./comparison.ts";

export function figure(before: number | null, after: number | null): Figure {
  const delta = before === null || after === null ? null : withoutNoise(after - before);
  return { before, after, delta };
}

/** Computes a change with its interval, and whether the change is more than noise. */
export function certainty(
  { delta }: Figure,
  interval: Interval | undefined,
  passes: Direction,
): Pick<MetricChange, "interval" | "verdict"> {
  if (delta === null || interval === undefined) return { interval: null, verdict: delta === null ? null : "unclear" };
  return { interval, verdict: verdictOn(interval, passes) };
}

function verdictOn({ low, high }: Interval, passes: Direction): Verdict {
  if (low <= 0 && high >= 0) return "unclear";
  return low > 0 === (passes === "at-least") ? "better" : "worse";
}

/** One side of a comparison: metrics, and the trials with their scores. */
export interface MetricSide {
  readonly metrics: readonly MetricSummary[];
  readonly trials: readonly TrialResult[];
}

/** Returns means by name, in the order of the later invocation. */
export function metricChanges(before: MetricSide, after: MetricSide): MetricChange[] {
  const names = new Set([...after.metrics, ...before.metrics].map(({ name }) => name));
  return [...names].flatMap((name) => {
    const was = before.metrics.find((one) => one.name === name);
    const is = after.metrics.find((one) => one.name === name);
    const either = is ?? was;
    if (either === undefined) return [];
    const { unit, passes } = either;
    const mean = figure(was?.mean ?? null, is?.mean ?? null);
    return [{ name, unit, passes, mean, ...certainty(mean, differenceOf(before.trials, after.trials, name), passes) }];
  });
}

/** Returns a cost in US dollars; `null` if a part is not known, because an incomplete cost cannot be compared. */
export function completeUsd(cost: Cost | null): number | null {
  return cost === null || cost.partial ? null : cost.usd;
}

function differenceOf(before: readonly TrialResult[], after: readonly TrialResult[], metric: string) {
  const [was, is] = [scoresByCase(before, metric), scoresByCase(after, metric)];
  const cases = [...new Set([...was.keys(), ...is.keys()])].sort();
  return bootstrapDifference(cases.map((name) => ({ before: was.get(name) ?? [], after: is.get(name) ?? [] })));
}

/** Rounds a value, because later decimals are rounding errors of binary fractions. */
function withoutNoise(value: number): number {
  return Math.round(value * 1e10) / 1e10;
}
