import { StoppedError } from "@bridle/protocol";
import type { StreamOptions } from "../port/connector.ts";
import { timeoutFailure } from "./timeout-failure.ts";

/** Milliseconds that a service has to end a statement by itself after the statement's time limit. */
export const statementGraceMs = 2_000;

/** Ends a statement of a service before its rows end: by the caller's signal, or by its time limit. Dispose of it after use. */
export class StatementEnd {
  readonly #options: Pick<StreamOptions, "signal" | "timeoutMs">;
  readonly #onEnd: (() => void) | undefined;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #hasTimedOut = false;

  /** `onEnd` is called once if the caller or the limit ends the statement. */
  constructor(options: Pick<StreamOptions, "signal" | "timeoutMs">, onEnd?: () => void) {
    this.#options = options;
    this.#onEnd = onEnd;
    this.#timer = setTimeout(this.#onTimeout, options.timeoutMs + statementGraceMs);
    this.#timer.unref();
    options.signal?.addEventListener("abort", this.#onAbort);
  }

  /** For requests that do not need to outlive the statement. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Returns the reason why the statement ended; undefined if neither the caller nor the limit ended it. */
  reason(cause?: unknown): Error | undefined {
    const { signal, timeoutMs } = this.#options;
    if (signal?.aborted) return new StoppedError("The statement was stopped.", { by: "signal", cause });
    return this.#hasTimedOut ? timeoutFailure(timeoutMs) : undefined;
  }

  /** Ends the operations that wait for `signal`. From then on, nothing ends the statement. */
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
