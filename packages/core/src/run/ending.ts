import {
  AbortError,
  BackendCrashError,
  type BridleError,
  getErrorMessage,
  isBridleError,
  type StoppedBy,
  StoppedError,
  TimeoutError,
} from "@bridle/protocol";

/** How a run ended, and why. */
export type RunEnding =
  | { stopReason: "natural"; object?: unknown }
  | { stopReason: "budget" }
  | { stopReason: "stopped" | "error"; error: BridleError };

export function stoppedEnding(reason = "by its caller", by: StoppedBy = "caller"): RunEnding {
  return { stopReason: "stopped", error: new StoppedError(`The run was stopped: ${reason}.`, { by }) };
}

/** Creates the ending of a run whose request's signal was aborted with this reason. */
export function abortedEnding(cause: unknown): RunEnding {
  return { stopReason: "stopped", error: new AbortError(`The run was stopped: ${getErrorMessage(cause)}.`, { cause }) };
}

/**
 * The abort reason of a run that ends because its process ends. The run's questions stay open: the next run of its session uses the
 * answers.
 */
export class ProcessEnding extends Error {}

export function timedOutEnding(timeoutMs: number): RunEnding {
  const message = `The run did not end within ${timeoutMs / 1000} s. Allow more time, or ask for less.`;
  return { stopReason: "error", error: new TimeoutError(message) };
}

/** Converts any thrown value to an ending with a typed error. */
export function failedEnding(cause: unknown): RunEnding {
  if (isBridleError(cause)) return { stopReason: "error", error: cause };
  const message = `The backend failed: ${getErrorMessage(cause)}`;
  return { stopReason: "error", error: new BackendCrashError(message, { cause }) };
}
