import type { BackendEvent, BridleError } from "@bridle/protocol";
import type { HostTurnError } from "../messages/messages.ts";

/** Counts how many times the host has requested a response again. */
export class CodexRetries {
  readonly #maxRetries: number;
  #count = 0;

  constructor(maxRetries: number) {
    this.#maxRetries = maxRetries;
  }

  /** Resets the count, when a response is complete. */
  reset(): void {
    this.#count = 0;
  }

  /** Returns the event for the next attempt. */
  next({ message, additionalDetails }: HostTurnError): BackendEvent {
    this.#count += 1;
    const maxAttempts = Math.max(this.#count, this.#maxRetries);
    const reason = additionalDetails || message;
    return { type: "retry.scheduled", attempt: this.#count, maxAttempts, delayMs: 0, reason };
  }
}

/** Whether another attempt cannot help, because the host has already read the login again and refreshed it. */
export function isConclusive({ code }: BridleError): boolean {
  return code === "authentication";
}
