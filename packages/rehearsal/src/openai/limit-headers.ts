import type { Limit } from "../script/script.ts";

/**
 * Returns the headers of OpenAI's APIs with the remaining requests. These headers contain no window names and no dates, only the seconds
 * until a reset.
 */
export function toOpenAILimitHeaders({ resetsInSeconds, status, utilization }: Limit): Record<string, string> {
  const seconds = Math.max(0, Math.ceil(resetsInSeconds));
  const used = utilization ?? usually[status];
  return {
    "x-ratelimit-limit-requests": "100",
    "x-ratelimit-remaining-requests": String(Math.max(0, Math.round(100 * (1 - used)))),
    "x-ratelimit-reset-requests": `${seconds}s`,
    ...(status === "rejected" && { "retry-after": String(seconds), "retry-after-ms": String(seconds * 1000) }),
  };
}

/** The used share if the script specifies none. */
const usually: Readonly<Record<Limit["status"], number>> = { allowed: 0, allowed_warning: 0.9, rejected: 1 };

/** Returns the headers of a ChatGPT account with the used share of a window, in the format that Codex 0.169.0 reads. */
export function toChatGptLimitHeaders(limit: Limit, now: number): Record<string, string> {
  const used = limit.utilization ?? usually[limit.status];
  return {
    "x-codex-primary-used-percent": String(Math.round(used * 100)),
    "x-codex-primary-window-minutes": String(windowMinutes[limit.window] ?? 300),
    "x-codex-primary-reset-at": String(Math.round(now / 1000 + limit.resetsInSeconds)),
  };
}

const windowMinutes: Readonly<Record<string, number>> = { five_hour: 300, one_day: 1440, seven_day: 10_080 };
