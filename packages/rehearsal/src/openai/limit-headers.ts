import type { Limit } from "../script/script.ts";

/**
 * The headers by which OpenAI's APIs tell how many requests are left. They know no windows by name and no date: what is
 * left opens again after so many seconds.
 */
export function toLimitHeaders({ resetsInSeconds, status, utilization }: Limit): Record<string, string> {
  const seconds = Math.max(0, Math.ceil(resetsInSeconds));
  const used = utilization ?? usually[status];
  return {
    "x-ratelimit-limit-requests": "100",
    "x-ratelimit-remaining-requests": String(Math.max(0, Math.round(100 * (1 - used)))),
    "x-ratelimit-reset-requests": `${seconds}s`,
    ...(status === "rejected" && { "retry-after": String(seconds), "retry-after-ms": String(seconds * 1000) }),
  };
}

/** How much is used up where the script does not say. */
const usually: Readonly<Record<Limit["status"], number>> = { allowed: 0, allowed_warning: 0.9, rejected: 1 };
