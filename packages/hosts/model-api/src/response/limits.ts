/**
 * Reads a subscription's usage windows from the headers `anthropic-ratelimit-unified-*` (in the form that Claude Code 2.1.330 reads). Reset
 * times are in seconds since 1970.
 */
import { type BackendEvent, omitUndefined } from "@bridle/protocol";

type Headers = Readonly<Record<string, string>>;

interface LimitWindow {
  status: string;
  window: string;
  resetsAt?: Date;
  /** The used share, from 0 to 1. */
  utilization?: number;
}

const prefix = "anthropic-ratelimit-unified-";
const shortNames: Readonly<Record<string, string>> = { five_hour: "5h", seven_day: "7d" };

/** Returns the window that the headers describe, or `undefined` if they describe none. */
export function readLimit(headers: Headers): LimitWindow | undefined {
  const status = headers[`${prefix}status`];
  if (status === undefined) return undefined;
  const window = headers[`${prefix}representative-claim`] ?? "subscription";
  const resetsAt = new Date(Number(headers[`${prefix}reset`]) * 1000);
  const used = Number(headers[`${prefix}${shortNames[window] ?? window}-utilization`]);
  return omitUndefined({
    status,
    window,
    resetsAt: resetsAt.getTime() > 0 ? resetsAt : undefined, // the time of an invalid date is NaN
    utilization: Number.isFinite(used) ? used : undefined,
  });
}

/** Returns the event for a window that is nearly used up. */
export function limitWarning({ status, window, resetsAt, utilization }: LimitWindow): BackendEvent | undefined {
  if (status !== "allowed_warning") return undefined;
  return omitUndefined({ type: "limit.warned" as const, window, resetsAt: resetsAt?.getTime(), utilization });
}
