import type { Limit } from "../script/script.ts";

/** Cloud providers tell nothing of windows; at most when to come again, in seconds. */
export function toRetryAfter({ status, resetsInSeconds }: Limit): Record<string, string> {
  return status === "rejected" ? { "retry-after": String(Math.max(0, Math.ceil(resetsInSeconds))) } : {};
}
