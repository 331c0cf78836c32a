/**
 * What a host says of a subscription's windows, in the headers `anthropic-ratelimit-unified-*` (as Claude Code 2.1.330
 * reads them). Reset times are in seconds since 1970.
 */
import type { BackendEvent } from "@bridle/protocol";

type Headers = Readonly<Record<string, string>>;

interface LimitWindow {
  status: string;
  window: string;
  resetsAt?: Date;
  /** From 0 to 1. */
  utilization?: number;
}

const prefix = "anthropic-ratelimit-unified-";
const shortNames: Readonly<Record<string, string>> = { five_hour: "5h", seven_day: "7d" };

/** The window that the host speaks of, or undefined where it speaks of none. */
export function readLimit(headers: Headers): LimitWindow | undefined {
  const status = headers[`${prefix}status`];
  if (status === undefined) return undefined;
  const window = headers[`${prefix}representative-claim`] ?? "subscription";
  const resetsAt = new Date(Number(headers[`${prefix}reset`]) * 1000);
  const used = Number(headers[`${prefix}${shortNames[window] ?? window}-utilization`]);
  return {
    status,
    window,
    ...(resetsAt.getTime() > 0 ? { resetsAt } : {}), // an impossible time is NaN
    ...(Number.isFinite(used) ? { utilization: used } : {}),
  };
}

/** The event that tells of a window which is nearly used up. */
export function limitWarning({ status, window, resetsAt, utilization }: LimitWindow): BackendEvent | undefined {
  if (status !== "allowed_warning") return undefined;
  const resets = resetsAt === undefined ? {} : { resetsAt: resetsAt.getTime() };
  return { type: "limit.warned", window, ...resets, ...(utilization === undefined ? {} : { utilization }) };
}
