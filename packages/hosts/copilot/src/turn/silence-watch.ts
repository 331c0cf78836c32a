import { startTimer } from "@bridle/core";
import { ConfigError, TimeoutError } from "@bridle/protocol";

/** Milliseconds of silence until a turn fails: a model that thinks without a word may need minutes. */
const defaultIdleTimeoutMs = 300_000;

/** Fails a turn whose host sends nothing any more. Starts at once, and calls `onSilence` at most once. */
export class RuntimeSilence {
  readonly #idleTimeoutMs: number;
  readonly #onSilence: () => void;
  #heldCalls = 0;
  #isStopped = false;
  #cancelTimer = () => {};

  constructor(idleTimeoutMs: number, onSilence: () => void) {
    this.#idleTimeoutMs = idleTimeoutMs;
    this.#onSilence = onSilence;
    this.restart();
  }

  /** Call this for each message of the host. */
  restart(): void {
    this.#cancelTimer();
    if (this.#heldCalls > 0 || this.#isStopped) return;
    this.#cancelTimer = startTimer(this.#idleTimeoutMs, this.#onSilence);
  }

  /** Pauses the watch while a tool runs. */
  async pause<T>(work: () => Promise<T>): Promise<T> {
    this.#heldCalls += 1;
    this.#cancelTimer();
    try {
      return await work();
    } finally {
      this.#heldCalls -= 1;
      this.restart();
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer();
  }
}

export function checkIdleTimeout(idleTimeoutMs: number = defaultIdleTimeoutMs): number {
  if (Number.isSafeInteger(idleTimeoutMs) && idleTimeoutMs > 0) return idleTimeoutMs;
  const field = "llm.provider.idleTimeoutMs";
  throw new ConfigError(`${field} is ${idleTimeoutMs}. Give a whole number from 1, or leave it out.`, { field });
}

export function runtimeSilenceError(idleTimeoutMs: number): TimeoutError {
  return new TimeoutError(
    `Copilot's runtime sent nothing for ${idleTimeoutMs / 1000} s. Try again later, or allow a longer silence with llm.provider.idleTimeoutMs.`,
  );
}
