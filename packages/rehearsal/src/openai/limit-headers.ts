import type { Limit } from "../script/script.ts";

/**
 * The headers of OpenAI's APIs with the remaining requests. They have no window names and no dates, only the seconds until
 * a reset.
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

/** The used share if the script has none. */
const usually: Readonly<Record<Limit["status"], number>> = { allowed: 0, allowed_warning: 0.9, rejected: 1 };
