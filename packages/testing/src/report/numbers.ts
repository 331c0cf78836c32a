/** Formats figures in the same way in all reports and in the terminal. */

import { findUnit, passes } from "@bridle/metrics";
import {
  type Cost,
  formatCost,
  formatCount,
  formatPercent,
  formatShare,
  omitUndefined,
  totalTokens,
  type Usage,
} from "@bridle/protocol";
import type { MetricSummary, TestInterval } from "../result/test-run.ts";
import type { MetricResult } from "../result/trial-result.ts";

export { formatPercent };

type Unit = MetricResult["unit"];

/** The text for a missing figure. */
export const none = "–";

/** Formats a cost: `$0.0123`, or `$0.0123 (estimate)` if nobody is billed for it. */
export function costWords(cost: Cost | null): string {
  return cost === null ? "not known" : formatCost(cost);
}

/** Formats US dollars without the note that they are an estimate: `$0.0123`, `at least $0.0123`. */
export function dollarWords({ usd, partial }: Cost): string {
  return formatCost(omitUndefined({ usd, estimate: false, partial }));
}

/** Formats tokens: `1,200 in, 34 out`. Tokens from a cache are input tokens. */
export function tokenWords(usage: Usage): string {
  return `${formatCount(totalTokens(usage) - usage.outputTokens)} in, ${formatCount(usage.outputTokens)} out`;
}

/** Formats a rounded score with its unit, such as `0.83`, `1.2 s` or `$0.0123`. */
export function formatScore(value: number | null, unit: Unit): string {
  if (value === null) return none;
  if (unit === null) return formatShare(value);
  return findUnit(unit)?.format(value) ?? `${Math.round(value * 100) / 100} ${unit}`;
}

/** A score and the threshold that it is compared with. */
type Compared = Pick<MetricResult, "score" | "threshold" | "unit" | "passes">;

/** Formats a score next to its threshold, with enough digits to show whether it is above or below: `0.79996` next to `≥ 0.80`. */
export function scoreBeside({ score, threshold, unit, passes: direction }: Compared): string {
  if (score === null) return none;
  const hasPassed = passes(score, threshold, direction);
  const agrees = (text: string) => {
    const shown = shownNumber(text, unit);
    if (shown === undefined) return hasPassed || text !== formatScore(threshold, unit);
    return passes(shown, threshold, direction) === hasPassed;
  };
  return longerForms(score, unit).find(agrees) ?? attachUnit(String(score), unit);
}

/** Formats the mean of a metric next to its threshold, like {@link scoreBeside}. */
export function formatMean(metric: Pick<MetricSummary, "mean" | "threshold" | "unit" | "passes">): string {
  const { mean, threshold, unit, passes: direction } = metric;
  return threshold === null
    ? formatScore(mean, unit)
    : scoreBeside({ score: mean, threshold, unit, passes: direction });
}

/** Formats the scores that pass, with all digits of the threshold: `≥ 0.70`, or `≤ 2.0 s` for a measure that should be small. */
export function formatThreshold({ passes: direction, threshold, unit }: Omit<Compared, "score">): string {
  const short = formatScore(threshold, unit);
  const isExact = shownNumber(short, unit) === threshold;
  return `${direction === "at-least" ? "≥" : "≤"} ${isExact ? short : attachUnit(String(threshold), unit)}`;
}

/** Formats two scores with the same number of digits, as many as show that they differ. */
export function formatPair(
  [first, second]: readonly [number | null, number | null],
  unit: Unit,
): readonly [string, string] {
  const short = [formatScore(first, unit), formatScore(second, unit)] as const;
  if (first === null || second === null || first === second || short[0] !== short[1]) return short;
  const others = longerForms(second, unit);
  const pairs = longerForms(first, unit).map((text, index) => [text, others[index] ?? text] as const);
  return pairs.find(([one, other]) => one !== other) ?? short;
}

/** Formats an interval of rates: `80.1% to 97.4%`, or a dash if there is none. */
export function formatRateInterval(interval: TestInterval): string {
  return interval === null ? none : `${formatPercent(interval.low)} to ${formatPercent(interval.high)}`;
}

/** Formats an interval of scores: `0.71 to 0.94`, or a dash if there is none. */
export function formatScoreInterval(interval: TestInterval, unit: Unit): string {
  if (interval === null) return none;
  return formatPair([interval.low, interval.high], unit).join(" to ");
}

/** Formats the interval of a change, with signs: `−0.02 to +0.31`. `format` formats a value without its sign. */
export function formatChangeInterval(interval: TestInterval, format: (value: number) => string): string {
  if (interval === null) return none;
  const signed = (value: number) => `${value < 0 ? "−" : "+"}${format(Math.abs(value))}`;
  return `${signed(interval.low)} to ${signed(interval.high)}`;
}

/** Formats the difference of two scores without its sign. Only a difference of 0 is shown as 0. */
export function formatDelta(delta: number, unit: Unit): string {
  const short = formatScore(Math.abs(delta), unit);
  const looksEqual = delta !== 0 && shownNumber(short, unit) === 0;
  return looksEqual ? attachUnit(String(Number(Math.abs(delta).toPrecision(2))), unit) : short;
}

/** Yields the short form of a score, then forms with more and more decimals. */
function longerForms(score: number, unit: Unit): string[] {
  const decimals = Array.from({ length: 10 }, (_, index) => index + 3);
  return [formatScore(score, unit), ...decimals.map((count) => attachUnit(score.toFixed(count), unit))];
}

/** Returns the number that a formatted score shows; `undefined` if it has several, as in `2 min 3 s`, or a prefix of its unit. */
function shownNumber(text: string, unit: Unit): number | undefined {
  const [digits = ""] = /\d+(?:\.\d+)?/.exec(text) ?? [];
  return digits !== "" && (digits === text || attachUnit(digits, unit) === text) ? Number(digits) : undefined;
}

/** Formats digits with their unit, such as `$0.0123`. */
export function attachUnit(digits: string, unit: Unit): string {
  if (unit === null) return digits;
  return findUnit(unit)?.attach(digits) ?? `${digits} ${unit}`;
}

/** Formats a time in ISO 8601 as `2026-11-22 07:17:47 UTC`. */
export function moment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}
