/** Numbers as people read them, the same in every report. */
import type { MetricResult } from "../result/trial-result.ts";

const [minuteMs, hourMs] = [60_000, 3_600_000];

/** `12 ms`, `1.2 s`, `3 min 5 s`, `2 h 3 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < minuteMs - 50) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < hourMs / 1000) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** `$0.0123`; of what nobody is billed for, `$0.0123 (estimate)`. */
export function cost(value: { usd: number; estimate: boolean } | null): string {
  return value === null ? "not known" : `${dollars(value.usd)}${value.estimate ? " (estimate)" : ""}`;
}

export function dollars(usd: number): string {
  return `$${usd.toFixed(usd < 10 ? 4 : 2)}`;
}

/** `92.5%`. What is not all never reads `100%`, and what is not nothing never `0%`. */
export function percent(share: number): string {
  if (share === 0 || share === 1) return `${share * 100}%`;
  const rounded = Math.min(99.9, Math.max(0.1, Math.round(share * 1000) / 10));
  return `${rounded}%`;
}

/** `1,234`. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A score with its unit; three places of shares. `–` where there is none. */
export function score(value: number | null, unit: MetricResult["unit"]): string {
  if (value === null) return "–";
  if (unit === "seconds") return duration(value * 1000);
  if (unit === "usd") return dollars(value);
  return unit === "steps" ? String(Math.round(value * 100) / 100) : String(Math.round(value * 1000) / 1000);
}

/** A score beside its threshold: with all its places where they would read the same and are not. */
export function scoreBeside({ score: value, threshold, unit }: MetricResult): string {
  const short = score(value, unit);
  return value !== null && value !== threshold && short === score(threshold, unit) ? String(value) : short;
}

/** `at least 0.7`. */
export function wanted({ passes, threshold, unit }: Pick<MetricResult, "passes" | "threshold" | "unit">): string {
  return `${passes === "at-least" ? "at least" : "at most"} ${score(threshold, unit)}`;
}

/** `2026-11-22 07:17:47 UTC`, of a time in ISO 8601. */
export function moment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/** `1 case`, `2 cases`. */
export function amount(value: number, noun: string): string {
  return `${grouped(value)} ${noun}${value === 1 ? "" : "s"}`;
}
