import type { PoolLimits } from "../pool-limits.ts";
import type { HostProcess } from "../process/host-process.ts";
import { hostTools } from "../tools/host-tools.ts";
import type { ProcessRequest } from "./process-source.ts";

/** One process and its state in the pool. */
export interface PoolEntry {
  /** The kind of call that the process was started for, without the history. */
  readonly kind: string;
  /** The key of the calls that the process may serve next. */
  key: string;
  readonly request: ProcessRequest;
  readonly process: HostProcess;
  /** The session that the process serves or served last. */
  owner: string | undefined;
  /** Whether the process holds the owner's conversation for the session's next run. */
  hasAffinity: boolean;
  state: "busy" | "returning" | "idle";
  calls: number;
  /** Grows with each use. The process with the highest value was used most recently. */
  usedAt: number;
  /** Set while the process is being prepared for another call. Resolves to true if the process can serve one. */
  returned?: Promise<boolean>;
  /** Whether a call waits for the process to return. */
  isAwaited: boolean;
  isGone: boolean;
  idleTimer?: NodeJS.Timeout;
}

/** The processes in a pool, and the totals since the pool was created. */
export interface PoolState {
  /** The number of processes that wait for a call. */
  idle: number;
  /** The number of processes that serve a call or are being prepared for the next one. */
  busy: number;
  /** The number of different kinds among these processes. */
  keys: number;
  started: number;
  /** The number of calls that were served by a process that was already running. */
  reused: number;
}

export function canServeAgain({ request: { spec }, calls, hasAffinity }: PoolEntry, { maxCalls }: PoolLimits): boolean {
  if (calls >= maxCalls) return false;
  if (spec.maxCostUsd !== undefined) return false; // the host adds up the cost of all calls of its process
  if (hasAffinity) return spec.builtins.every(leavesNothing);
  return spec.history.length === 0 && spec.builtins.length === 0; // rewinding goes back to before the first message, and loses a history
}

/**
 * Whether a tool leaves no state in the process. Tools that write leave some: after `cd` in `Bash`, the next command starts in that folder
 * (observed on 2.1.330).
 */
function leavesNothing(builtin: string): boolean {
  return hostTools[builtin]?.readOnly === true;
}

/** Counts `entries` by their state. */
export function countStates(entries: Iterable<PoolEntry>): Pick<PoolState, "idle" | "busy" | "keys"> {
  const all = [...entries];
  const idle = all.filter(({ state }) => state === "idle").length;
  return { idle, busy: all.length - idle, keys: new Set(all.map(({ key }) => key)).size };
}
