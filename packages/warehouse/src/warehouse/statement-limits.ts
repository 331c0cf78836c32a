import { defaultLimits, type StatementLimits } from "../port/limits.ts";
import type { CommonSettings } from "../settings/common-keys.ts";
import type { QueryOptions } from "./warehouse.ts";

/** Returns the limits of a connection. */
export function limitsOf({ limits = {} }: CommonSettings): StatementLimits {
  return {
    maxRows: limits.rows ?? defaultLimits.maxRows,
    maxBytes: limits.bytes ?? defaultLimits.maxBytes,
    timeoutMs: limits.seconds === undefined ? defaultLimits.timeoutMs : limits.seconds * 1000,
  };
}

/** Returns, for each limit, the lower value of the connection and the caller. */
export function lowestLimits(own: StatementLimits, caller: QueryOptions["limits"] = {}): StatementLimits {
  return {
    maxRows: Math.min(own.maxRows, caller.maxRows ?? own.maxRows),
    maxBytes: Math.min(own.maxBytes, caller.maxBytes ?? own.maxBytes),
    timeoutMs: Math.min(own.timeoutMs, caller.timeoutMs ?? own.timeoutMs),
  };
}
