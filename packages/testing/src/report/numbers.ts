/** Figures for people, the same in all reports and in the terminal. */

import { findUnit } from "@bridle/metrics";
import { type Cost, formatCost, formatCount, omitUndefined, totalTokens, type Usage } from "@bridle/protocol";
import type { MetricResult } from "../result/trial-result.ts";

/** Shown instead of a missing figure. */
export const none = "–";

/** `$0.0123`, or `$0.0123 (estimate)` if nobody is billed for it. */
export function costWords(cost: Cost | null): string {
  return cost === null ? "not known" : formatCost(cost);
}

/** US dollars without the remark that they are an estimate: `$0.0123`, `at least $0.0123`. */
export function dollarWords({ usd, partial }: Cost): string {
  return formatCost(omitUndefined({ usd, estimate: false, partial }));
}

/** `1,200 in, 34 out`. Tokens from a cache are input tokens. */
export function tokenWords(usage: Usage): string {
  return `${formatCount(totalTokens(usage) - usage.outputTokens)} in, ${formatCount(usage.outputTokens)} out`;
}

/** `92.5%`. Only 1 is `100%`, and only 0 is `0%`. */
export function formatPercent(share: number): string {
  if (share === 0 || share === 1) return `${share * 100}%`;
  const rounded = Math.min(99.9, Math.max(0.1, Math.round(share * 1000) / 10));
  return `${rounded}%`;
}

/** A rounded score with its unit, such as `0.83`, `1.2 s` or `$0.0123`. */
export function formatScore(value: number | null, unit: MetricResult["unit"]): string {
  if (value === null) return none;
  if (unit === null) return formatShare(value);
  return findUnit(unit)?.format(value) ?? `${Math.round(value * 100) / 100} ${unit}`;
}

/** Two decimals, or four if two would turn a share into 0 or 1. */
function formatShare(value: number): string {
  const short = value.toFixed(2);
  return Number(short) === value || !/^[01]\.00$/.test(short) ? short : value.toFixed(4);
}

/** A score beside its threshold, with all digits if the rounded figures would look equal.  */
export function scoreBeside({ score, threshold, unit }: Pick<MetricResult, "score" | "threshold" | "unit">): string {
  const short = formatScore(score, unit);
  return score !== null && score !== threshold && short === formatScore(threshold, unit) ? String(score) : short;
}

/** The scores that pass: `≥ 0.70`, or `≤ 2.0 s` for a measure that should be small. */
export function formatThreshold({
  passes,
  threshold,
  unit,
}: Pick<MetricResult, "passes" | "threshold" | "unit">): string {
  return `${passes === "at-least" ? "≥" : "≤"} ${formatScore(threshold, unit)}`;
}

/** `2026-11-22 07:17:47 UTC`, from a time in ISO 8601. */
export function moment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}
