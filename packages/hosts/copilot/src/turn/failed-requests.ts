import type { BackendEvent, BridleError } from "@bridle/protocol";
import { type FailureFacts, failureError } from "../errors/failure-errors.ts";
import type { ModelFailure } from "../messages/session-events.ts";

/** Kinds of failures after which the same request may succeed a moment later. */
const passing = new Set(["network", "overloaded", "rate_limit"]);

/** Milliseconds until the runtime repeats a request. The runtime does not report this delay; it was observed on 1.0.14. */
const repeatDelayMs = 1000;

/** Counts the failed requests since the last response. The runtime itself repeats each request, whatever the failure. */
export class FailedRequests {
  readonly #facts: FailureFacts;
  readonly #maxAttempts: number;
  #count = 0;
  #newest: BridleError | undefined;

  constructor(facts: FailureFacts, maxAttempts: number) {
    this.#facts = facts;
    this.#maxAttempts = maxAttempts;
  }

  /** The error of the newest failure; undefined if a response has come since. */
  get newest(): BridleError | undefined {
    return this.#newest;
  }

  /** Returns the event for a request that is repeated, or the error if the request must not be repeated. */
  add(failure: ModelFailure): { retry: BackendEvent } | { error: BridleError } {
    const error = failureError(failure, this.#facts);
    this.#newest = error;
    this.#count += 1;
    const [attempt, maxAttempts] = [this.#count, this.#maxAttempts];
    if (!passing.has(error.code) || attempt >= maxAttempts) return { error };
    const reason = error.message;
    return { retry: { type: "retry.scheduled", attempt, maxAttempts, delayMs: repeatDelayMs, reason } };
  }

  /** Forgets the failures, when a response has come. */
  clear(): void {
    this.#count = 0;
    this.#newest = undefined;
  }
}
