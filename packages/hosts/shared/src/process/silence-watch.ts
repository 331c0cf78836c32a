import { startTimer } from "@bridle/core";
import { ConfigError, TimeoutError } from "@bridle/protocol";

/**
 * Milliseconds of silence after which a turn fails. Claude Code does not pass on the service's pings. While the model thinks, Claude Code
 * reports the number of tokens only if the service reports it (observed on 2.1.330).
 */
const defaultIdleTimeoutMs = 300_000;

/**
 * Fails a turn when its host stops sending, for example because the service accepts a request and never answers. Starts
 * at once, and calls `onSilence` at most once.
 */
export class SilenceWatch {
  readonly #idleTimeoutMs: number;
  readonly #onSilence: () => void;
  readonly #heldCalls = new Set<string>();
  #isStopped = false;
  #cancelTimer = () => {};

  constructor(idleTimeoutMs: number, onSilence: () => void) {
    this.#idleTimeoutMs = idleTimeoutMs;
    this.#onSilence = onSilence;
    this.restart();
  }

  /**
   * Restarts the time. Call this for each message of the host. `announcedMs` is the length of a pause that the host has announced, which is
   * added to the time.
   */
  restart(announcedMs = 0): void {
    this.#cancelTimer();
    if (this.#heldCalls.size > 0 || this.#isStopped) return;
    this.#cancelTimer = startTimer(this.#idleTimeoutMs + announcedMs, this.#onSilence);
  }

  /** Pauses the watch until `release`, because the host waits for this call. Several calls can be held. */
  hold(callId: string): void {
    this.#heldCalls.add(callId);
    this.#cancelTimer();
  }

  /** Ends the pause for a call. Has no effect if the call is not held. */
  release(callId: string): void {
    if (this.#heldCalls.delete(callId)) this.restart();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer();
  }
}

/** Returns the allowed silence in milliseconds. Throws ConfigError if it is not a whole number above 0. */
export function requireIdleTimeout(idleTimeoutMs: number | undefined): number {
  if (idleTimeoutMs === undefined) return defaultIdleTimeoutMs;
  if (Number.isSafeInteger(idleTimeoutMs) && idleTimeoutMs > 0) return idleTimeoutMs;
  const field = "llm.provider.idleTimeoutMs";
  const message = `${field} is ${idleTimeoutMs}. Give a whole number from 1, or leave it out.`;
  throw new ConfigError(message, { field });
}

/** @param host The host's title, such as "Claude Code". */
export function silenceError(host: string, idleTimeoutMs: number, auth: string): TimeoutError {
  return new TimeoutError(
    `${host} sent nothing for ${idleTimeoutMs / 1000} s (auth: ${auth}). ` +
      "Try again later, or allow a longer silence with llm.provider.idleTimeoutMs.",
  );
}
