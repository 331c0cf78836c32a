import type { Cost } from "@bridle/protocol";
import type { MetricSummary } from "../result/test-run.ts";
import type { Figure, MetricChange } from "./comparison.ts";

export function figure(before: number | null, after: number | null): Figure {
  const delta = before === null || after === null ? null : withoutNoise(after - before);
  return { before, after, delta };
}

/** Means by name, in the order of the later invocation. */
export function metricChanges(before: readonly MetricSummary[], after: readonly MetricSummary[]): MetricChange[] {
  const names = new Set([...after, ...before].map(({ name }) => name));
  return [...names].flatMap((name) => {
    const was = before.find((one) => one.name === name);
    const is = after.find((one) => one.name === name);
    const either = is ?? was;
    if (either === undefined) return [];
    const { unit, passes } = either;
    return [{ name, unit, passes, mean: figure(was?.mean ?? null, is?.mean ?? null) }];
  });
}

/** US dollars; `null` if a part is not known, because a part cannot be compared. */
export function completeUsd(cost: Cost | null): number | null {
  return cost === null || cost.partial ? null : cost.usd;
}

/** Later decimals are rounding errors of binary fractions. */
function withoutNoise(value: number): number {
  return Math.round(value * 1e10) / 1e10;
}
