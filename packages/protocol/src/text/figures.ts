/** Formats numbers for readers. */
import type { Cost } from "../usage/usage.ts";

const [minuteMs, hourMs] = [60_000, 3_600_000];

/** Formats a duration as `12 ms`, `1.2 s`, `3 min 5 s` or `2 h 3 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < minuteMs - 50) return `${(ms / 1000).toFixed(1)} s`;
  const whole = Math.round(ms / 1000) * 1000;
  if (whole < hourMs) return `${Math.floor(whole / minuteMs)} min ${(whole % minuteMs) / 1000} s`;
  return `${Math.floor(whole / hourMs)} h ${Math.floor((whole % hourMs) / minuteMs)} min`;
}

/** Formats an amount as `$0.0123`, or from ten dollars on as `$12.50`. */
export function formatDollars(usd: number): string {
  return `$${usd.toFixed(usd < 10 ? 4 : 2)}`;
}

/** Formats a cost: `$0.0123`, `$0.0123 (estimate)` if the amount is not billed, `at least $0.0123` if only a part is known. */
export function formatCost({ usd, estimate, partial }: Cost): string {
  return `${partial ? "at least " : ""}${formatDollars(usd)}${estimate ? " (estimate)" : ""}`;
}

/** Returns a list with the cost, for a list of facts. The list is empty if the cost is unknown or zero. */
export function listCost(cost: Cost | undefined): string[] {
  return cost === undefined || cost.usd === 0 ? [] : [formatCost(cost)];
}

/** Formats a count as `1,234`. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** Formats a count with its noun: `1 run`, `2 runs`, `1,200 runs`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** Describes changes as `2 files added, 1 file changed`. Empty if nothing is different. */
export function formatFileChanges(changes: Readonly<Record<"added" | "changed" | "removed", number>>): string {
  const kinds = ["added", "changed", "removed"] as const;
  return kinds.flatMap((kind) => (changes[kind] === 0 ? [] : [`${counted(changes[kind], "file")} ${kind}`])).join(", ");
}

/** Formats a share as `92.5%`. Only 1 becomes `100%`, and only 0 becomes `0%`. */
export function formatPercent(share: number): string {
  if (share === 0 || share === 1) return `${share * 100}%`;
  const rounded = Math.min(99.9, Math.max(0.1, Math.round(share * 1000) / 10));
  return `${rounded}%`;
}

/** Formats a share with two decimals, or with four if two would turn it into 0 or 1. */
export function formatShare(value: number): string {
  const short = value.toFixed(2);
  return Number(short) === value || !/^[01]\.00$/.test(short) ? short : value.toFixed(4);
}
