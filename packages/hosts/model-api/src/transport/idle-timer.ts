/** Aborts a request if no byte arrives for a while. */

/** The maximum time for `setTimeout` in milliseconds. A longer timer would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

export class IdleTimer {
  readonly #controller = new AbortController();
  readonly #idleMs: number;
  readonly #reason: () => Error;
  #timer: NodeJS.Timeout | undefined;

  /** Starts the time. @param reason Creates the error with which the signal is aborted. */
  constructor(idleMs: number, reason: () => Error) {
    this.#idleMs = Math.min(idleMs, maxTimerMs);
    this.#reason = reason;
    this.restart();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Restarts the time, because a byte has arrived. */
  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(this.#reason()), this.#idleMs).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
