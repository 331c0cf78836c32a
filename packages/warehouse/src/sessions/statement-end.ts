import { StoppedError } from "@bridle/protocol";
import type { StreamOptions } from "../port/connector.ts";
import { timeoutFailure } from "./timeout-failure.ts";

/** Milliseconds after its limit in which a service should end a statement by itself. */
export const statementGraceMs = 2_000;

/** What ends a statement of a service before its rows do: the caller's signal, or its limit of time. Dispose of it after use. */
export class StatementEnd {
  readonly #options: Pick<StreamOptions, "signal" | "timeoutMs">;
  readonly #onEnd: (() => void) | undefined;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #hasTimedOut = false;

  /** `onEnd` is called once, if the caller or the limit ends the statement. */
  constructor(options: Pick<StreamOptions, "signal" | "timeoutMs">, onEnd?: () => void) {
    this.#options = options;
    this.#onEnd = onEnd;
    this.#timer = setTimeout(this.#onTimeout, options.timeoutMs + statementGraceMs);
    this.#timer.unref();
    options.signal?.addEventListener("abort", this.#onAbort);
  }

  /** For requests that need not outlive the statement. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the statement ended; undefined if neither the caller nor the limit ended it. */
  reason(cause?: unknown): Error | undefined {
    const { signal, timeoutMs } = this.#options;
    if (signal?.aborted) return new StoppedError("The statement was stopped.", { by: "signal", cause });
    return this.#hasTimedOut ? timeoutFailure(timeoutMs) : undefined;
  }

  /** Ends what waits for `signal`. From now on nothing ends the statement. */
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
