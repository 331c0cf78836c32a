import type { HostSession } from "../process/host-session.ts";
import type { PoolLimits } from "./limits.ts";
import type { SessionRequest } from "./sessions.ts";

/** One process and its place in the pool. */
export interface Entry {
  /** What it was started for, but for the history. */
  readonly kind: string;
  /** What it may serve next. */
  key: string;
  readonly request: SessionRequest;
  readonly session: HostSession;
  /** The session of the conversation that it serves or served last. */
  owner: string | undefined;
  /** It holds that conversation, for its next run. */
  isKept: boolean;
  place: "busy" | "returning" | "idle";
  calls: number;
  /** Grows from use to use: the highest was used last. */
  usedAt: number;
  /** While it returns: resolves true when it is fit for another call. */
  returned?: Promise<boolean>;
  /** A call waits for it to return. */
  isAwaited: boolean;
  isGone: boolean;
  idleTimer?: NodeJS.Timeout;
}

/** What a pool holds, and what it has done since it was made. */
export interface PoolState {
  /** Processes that wait for a call. */
  idle: number;
  /** Processes that serve a call, or are being made ready for the next. */
  busy: number;
  /** Kinds of process among them. */
  keys: number;
  started: number;
  /** Calls that found a process waiting. */
  reused: number;
}

export function mayServeAgain({ request: { spec }, calls, isKept }: Entry, { maxCalls }: PoolLimits): boolean {
  if (calls >= maxCalls) return false;
  if (!isKept && spec.history.length > 0) return false; // going back means to before the first message
  return spec.builtins.length === 0 && spec.maxCostUsd === undefined; // the host adds up the cost of its whole process
}

/** `entries` counted by what they do. */
export function countPlaces(entries: Iterable<Entry>): Pick<PoolState, "idle" | "busy" | "keys"> {
  const all = [...entries];
  const idle = all.filter(({ place }) => place === "idle").length;
  return { idle, busy: all.length - idle, keys: new Set(all.map(({ key }) => key)).size };
}
