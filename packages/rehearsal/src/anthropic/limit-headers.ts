import type { Limit } from "../script/script.ts";

/**
 * Returns the headers with the used share of a subscription window, in the format that Claude Code 2.1.330 reads. The reset time is in
 * seconds since 1970.
 */
export function toAnthropicLimitHeaders(limit: Limit, now: number): Record<string, string> {
  const reset = String(Math.round(now / 1000 + limit.resetsInSeconds));
  const window = shortNames[limit.window] ?? limit.window;
  const { status, utilization = status === "rejected" ? 1 : undefined } = limit;
  return {
    "anthropic-ratelimit-unified-status": status,
    "anthropic-ratelimit-unified-reset": reset,
    "anthropic-ratelimit-unified-representative-claim": limit.window,
    [`anthropic-ratelimit-unified-${window}-status`]: status,
    [`anthropic-ratelimit-unified-${window}-reset`]: reset,
    ...(utilization !== undefined && { [`anthropic-ratelimit-unified-${window}-utilization`]: String(utilization) }),
    ...(status === "allowed_warning" && {
      [`anthropic-ratelimit-unified-${window}-surpassed-threshold`]: String(utilization ?? 0.9),
    }),
    ...(status === "rejected" && { "retry-after": String(Math.max(0, Math.ceil(limit.resetsInSeconds))) }),
  };
}

const shortNames: Readonly<Record<string, string>> = { five_hour: "5h", seven_day: "7d", overage: "overage" };
