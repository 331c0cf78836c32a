import type { Limit } from "../script/script.ts";

/** Returns the header with the seconds until a retry. Cloud providers report no usage windows. */
export function toRetryAfter({ status, resetsInSeconds }: Limit): Record<string, string> {
  return status === "rejected" ? { "retry-after": String(Math.max(0, Math.ceil(resetsInSeconds))) } : {};
}
