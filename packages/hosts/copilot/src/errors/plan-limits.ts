/** Recognises the limits of a Copilot plan by the service's codes and wording. The runtime 1.0.14 knows the same codes. */
import type { ModelFailure, QuotaSnapshots } from "../messages/session-events.ts";

/** A used-up window of the plan. */
export interface UsedUpWindow {
  readonly window: string;
  /** When the window opens again, if the service reports it. */
  readonly resetsAt: Date | undefined;
}

/** The windows by the service's codes. Other limits, such as those of one model, end within minutes. */
const windows: Readonly<Record<string, string>> = {
  quota_exceeded: "month",
  additional_spend_limit_reached: "month",
  user_weekly_rate_limited: "seven_day",
  user_global_rate_limited: "five_hour",
};

export function usedUpPlanWindow(
  failure: ModelFailure,
  { codes, message }: { readonly codes: readonly string[]; readonly message: string },
  now = Date.now(),
): UsedUpWindow | undefined {
  const window = codes.map((code) => windows[plain(code)]).find((name) => name !== undefined);
  if (window === undefined) return undefined;
  const resetsAt = window === "month" ? monthlyReset(failure.quotaSnapshots ?? {}, now) : resetInWords(message, now);
  return { window, resetsAt };
}

/** Whether the account cannot pay, which waiting for a window does not change. */
export function isOutOfCredit(status: number | undefined, codes: readonly string[]): boolean {
  return status === 402 || codes.some((code) => billingCodes.includes(plain(code)));
}

const billingCodes: readonly string[] = ["billing_not_configured", "session_quota_exceeded"];

/** Removes the plan at the end of a code such as `user_global_rate_limited:pro`. */
function plain(code: string): string {
  return code.split(":")[0] ?? code;
}

/** The monthly quotas, under every name that the service has used for them. */
const monthlyQuotas = ["premium_interactions", "premium_models", "chat"];

/** Returns the reset time of the used-up quota. */
function monthlyReset(snapshots: QuotaSnapshots, now: number): Date | undefined {
  const used = monthlyQuotas
    .map((name) => snapshots[name])
    .find((each) => each && (each.remainingPercentage ?? 1) <= 0);
  const time = Date.parse(used?.resetDate ?? "");
  return time > now ? new Date(time) : undefined;
}

const unitMs: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 24 * 3_600_000,
};

/**
 * Reads the reset time of one of the shorter windows from the message, because only the message contains it: "Please retry after 2733
 * seconds."
 */
function resetInWords(message: string, now: number): Date | undefined {
  const [, count, unit = ""] = /(?:retry after|again in) (\d+) (second|minute|hour|day)s?/i.exec(message) ?? [];
  return count === undefined ? undefined : new Date(now + Number(count) * (unitMs[unit.toLowerCase()] ?? 0));
}
