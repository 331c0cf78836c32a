/** Reads the usage windows of a ChatGPT account from Codex's reports (0.169.0). An API key has none. */
import type { HostLimits, HostWindow } from "../messages/messages.ts";

/** A usage window in Bridle's form. */
export interface UsageWindow {
  /** The window's name, which contains its length, such as `five_hour`. */
  readonly window: string;
  readonly resetsAt: Date | undefined;
  /** The used share, from 0 to 1. */
  readonly utilization: number;
}

/**
 * Merges an incomplete report into the known limits. Values that the report leaves out stay valid, unless the report is about another kind
 * of limit.
 */
export function mergeLimits(known: HostLimits | undefined, report: HostLimits): HostLimits {
  if (known === undefined || known.limitId !== report.limitId) return report;
  return { ...report, primary: report.primary ?? known.primary, secondary: report.secondary ?? known.secondary };
}

export function windowsOf(limits: HostLimits | undefined): UsageWindow[] {
  return [limits?.primary, limits?.secondary].flatMap((each) => (each ? [toUsageWindow(each)] : []));
}

export function fullestWindow(limits: HostLimits | undefined): UsageWindow | undefined {
  return windowsOf(limits).toSorted((a, b) => b.utilization - a.utilization)[0];
}

/** Whether the account has run out of credits, which waiting for a window does not restore. */
export function isOutOfCredits(limits: HostLimits | undefined): boolean {
  return limits?.rateLimitReachedType?.endsWith("_credits_depleted") ?? false;
}

function toUsageWindow({ usedPercent, windowDurationMins, resetsAt }: HostWindow): UsageWindow {
  return {
    window: nameOf(windowDurationMins ?? undefined),
    resetsAt: resetsAt ? new Date(resetsAt * 1000) : undefined,
    utilization: Math.min(1, Math.max(0, usedPercent / 100)),
  };
}

const names: Readonly<Record<number, string>> = { 300: "five_hour", 1440: "one_day", 10080: "seven_day" };

function nameOf(minutes: number | undefined): string {
  if (minutes === undefined) return "subscription";
  return names[minutes] ?? `${minutes}_minutes`;
}
