import { counted, formatDuration, totalTokens } from "@bridle/core";
import type { MetricResult, TestRun } from "@bridle/testing";

/** What stands where there is no figure. */
export const none = "–";

type Unit = MetricResult["unit"];

/** A score: a share, or what its unit says. */
export function formatScore(value: number | null, unit: Unit): string {
  if (value === null) return none;
  if (unit === "seconds") return `${value.toFixed(value < 10 ? 2 : 1)} s`;
  if (unit === "usd") return formatDollars(value);
  if (unit === "steps") return String(Math.round(value * 100) / 100);
  return formatShare(value);
}

/** Two places, and more where they would make something of nothing, or all of almost all. */
function formatShare(value: number): string {
  const short = value.toFixed(2);
  return Number(short) === value || !/^[01]\.00$/.test(short) ? short : value.toFixed(4);
}

/** The score that passes: `≥ 0.50`, and `≤ 2.00 s` for what should be little. */
export function formatThreshold({ threshold, passes, unit }: Pick<MetricResult, "threshold" | "passes" | "unit">) {
  return `${passes === "at-most" ? "≤" : "≥"} ${formatScore(threshold, unit)}`;
}

/** Never 0 % of something, nor 100 % of almost all. */
export function formatPercent(share: number): string {
  const rounded = Math.round(share * 100);
  if (rounded === 100 && share < 1) return "99 %";
  return rounded === 0 && share > 0 ? "1 %" : `${rounded} %`;
}

export function formatDollars(usd: number): string {
  return `$${usd.toFixed(usd !== 0 && Math.abs(usd) < 1 ? 4 : 2)}`;
}

export function formatCost(cost: { usd: number; estimate: boolean } | null): string {
  return cost === null ? none : `${formatDollars(cost.usd)}${cost.estimate ? " (estimate)" : ""}`;
}

/** What an invocation took: `in 2.3 s, 4,210 tokens (1,200 of judges), $0.0123`. */
export function spentWords({ durationMs, summary }: Pick<TestRun, "durationMs" | "summary">): string {
  const { usage, cost, judges } = summary;
  const ofJudges = totalTokens(judges.usage);
  const judged = ofJudges === 0 ? "" : ` (${ofJudges.toLocaleString("en-US")} of judges)`;
  return [
    `in ${formatDuration(durationMs)}`,
    ...(totalTokens(usage) === 0 ? [] : [`${counted(totalTokens(usage), "token")}${judged}`]),
    ...(cost === null ? [] : [formatCost(cost)]),
  ].join(", ");
}
