import { ConfigError } from "@bridle/protocol";

/** How an account is used: `limits` of a runtime. */
export interface LimitOptions {
  /** Runs of the account that may be in progress at a time, in this process. Default 4. */
  maxConcurrency?: number;
  /** What a run does when a subscription window is used up: wait until it opens again, or end. Default `fail`. */
  onUsageLimit?: "wait" | "fail";
  /** The maximum time that one run waits for windows, in milliseconds; a longer wait fails immediately. Default 5 hours. */
  maxWaitMs?: number;
}

/** Fills in the defaults. Throws ConfigError for an invalid value. */
export function resolveLimitOptions(options: LimitOptions = {}): Required<LimitOptions> {
  const { maxConcurrency = 4, onUsageLimit = "fail", maxWaitMs = 18_000_000 } = options;
  if (!Number.isSafeInteger(maxConcurrency) || maxConcurrency < 1) {
    refuse("maxConcurrency", maxConcurrency, "a whole number from 1");
  }
  if (!(maxWaitMs > 0)) refuse("maxWaitMs", maxWaitMs, "a number above 0");
  if (onUsageLimit !== "wait" && onUsageLimit !== "fail") refuse("onUsageLimit", onUsageLimit, "wait or fail");
  return { maxConcurrency, onUsageLimit, maxWaitMs };
}

function refuse(field: string, value: unknown, form: string): never {
  throw new ConfigError(`limits.${field} is ${value}, but must be ${form}.`, { field: `llm.limits.${field}` });
}
