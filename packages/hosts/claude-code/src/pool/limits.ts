import { ConfigError } from "@bridle/protocol";

/** How many processes are kept for the calls to come, and for how long. */
export interface PoolOptions {
  /** Processes that are kept at the same time. More calls than that get more; those are ended with them. Default 8. */
  maxProcesses?: number;
  /** Calls that one process serves, one after another. Default 100. */
  maxCalls?: number;
  /** Milliseconds that a process waits for its next call. Default 60,000. */
  idleMs?: number;
  /** Bytes of memory beyond which a process is not kept. Default 600 MB; a new one takes about 200. */
  maxBytes?: number;
}

export interface PoolLimits extends Required<PoolOptions> {
  /** Milliseconds after the last call until all processes but one are let go. */
  trimMs: number;
}

const defaults: PoolLimits = {
  maxProcesses: 8,
  maxCalls: 100,
  idleMs: 60_000,
  maxBytes: 600_000_000,
  trimMs: 1500,
};

/** Throws ConfigError for a limit that is no whole number above 0. */
export function poolLimits(options: PoolOptions = {}): PoolLimits {
  const limits = { ...defaults, ...withoutUndefined(options) };
  for (const [name, value] of Object.entries(limits)) {
    if (Number.isSafeInteger(value) && value > 0) continue;
    throw new ConfigError(`pool.${name} is ${value}, but must be a whole number from 1. Use pool: false for no pool.`, {
      field: `pool.${name}`,
    });
  }
  return limits;
}

function withoutUndefined(options: PoolOptions): PoolOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
