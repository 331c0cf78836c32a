import { StoppedError } from "@bridle/protocol";
import type { StreamOptions } from "../port/connector.ts";
import { timeoutFailure } from "./timeout-failure.ts";

/** How many milliseconds after a statement's time limit the service may take to end the statement itself. */
export const statementGraceMs = 2_000;

/** Ends a service's statement before its rows end: on the caller's signal, or at the time limit. Call `dispose` after use. */
export class StatementEnd {
  readonly #options: Pick<StreamOptions, "signal" | "timeoutMs">;
  readonly #onEnd: (() => void) | undefined;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #hasTimedOut = false;

  /** Starts the time limit. `onEnd` is called once if the caller or the limit ends the statement. */
  constructor(options: Pick<StreamOptions, "signal" | "timeoutMs">, onEnd?: () => void) {
    this.#options = options;
    this.#onEnd = onEnd;
    this.#timer = setTimeout(this.#onTimeout, options.timeoutMs + statementGraceMs);
    this.#timer.unref();
    options.signal?.addEventListener("abort", this.#onAbort);
  }

  /** The signal for requests that do not need to outlive the statement. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Returns the reason why the statement ended; undefined if neither the caller nor the limit ended it. */
  reason(cause?: unknown): Error | undefined {
    const { signal, timeoutMs } = this.#options;
    if (signal?.aborted) return new StoppedError("The statement was stopped.", { by: "signal", cause });
    return this.#hasTimedOut ? timeoutFailure(timeoutMs) : undefined;
  }

  /** Aborts `signal` and stops watching the caller's signal and the time limit. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    this.#controller.abort();
  }

  readonly #onAbort = (): void => this.#end();

  readonly #onTimeout = (): void => {
    this.#hasTimedOut = true;
    this.#end();
  };

  #end(): void {
    this.dispose();
    this.#onEnd?.();
  }
}
