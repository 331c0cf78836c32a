import type { Limit } from "../script/script.ts";

/** Cloud providers report no windows, only the seconds until a retry. */
export function toRetryAfter({ status, resetsInSeconds }: Limit): Record<string, string> {
  return status === "rejected" ? { "retry-after": String(Math.max(0, Math.ceil(resetsInSeconds))) } : {};
}
