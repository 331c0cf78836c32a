import { ConfigError, omitUndefined } from "@bridle/protocol";

/** How many processes the pool keeps for later calls, and for how long. */
export interface PoolOptions {
  /** How many processes the pool keeps at the same time. Further calls also get a process each, which ends with its call. Default: 8. */
  maxProcesses?: number | undefined;
  /** How many calls one process serves, one after another. Default: 100. */
  maxCalls?: number | undefined;
  /** How many milliseconds a process waits for its next call. Default: 60,000. */
  idleMs?: number | undefined;
  /** The memory in bytes above which a process is not kept. Default: 600 MB; a new process takes about 200 MB. */
  maxBytes?: number | undefined;
}

export interface PoolLimits {
  maxProcesses: number;
  maxCalls: number;
  idleMs: number;
  maxBytes: number;
  /** Once this many milliseconds have passed since the last call, only one idle process is kept. */
  trimMs: number;
}

const defaults: PoolLimits = {
  maxProcesses: 8,
  maxCalls: 100,
  idleMs: 60_000,
  maxBytes: 600_000_000,
  trimMs: 1500,
};

/** Fills in the defaults. Throws ConfigError if a limit is not a whole number above 0. */
export function poolLimits(options: PoolOptions = {}): PoolLimits {
  const limits = { ...defaults, ...omitUndefined(options) };
  for (const [name, value] of Object.entries(limits)) {
    if (Number.isSafeInteger(value) && value > 0) continue;
    throw new ConfigError(
      `pool.${name} is ${value}, but must be a whole number from 1. To switch the pool off, use pool: false.`,
      { field: `pool.${name}` },
    );
  }
  return limits;
}
