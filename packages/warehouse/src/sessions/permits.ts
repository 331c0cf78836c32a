import { StoppedError } from "@bridle/protocol";

/** Grants a limited number of permits, in the order of the requests. */
export class Permits {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** @throws StoppedError if the signal is aborted before a permit is granted. */
  async take(signal?: AbortSignal): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const turn = Promise.withResolvers<void>();
    const onAbort = () => {
      if (this.#waiting.delete(turn.resolve))
        turn.reject(new StoppedError("The statement was stopped before it ran.", { by: "signal" }));
    };
    this.#waiting.add(turn.resolve);
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted) onAbort();
    await turn.promise.finally(() => signal?.removeEventListener("abort", onAbort));
  }

  give(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else {
      this.#waiting.delete(next);
      next();
    }
  }

  /** Grants permits to all waiting callers. */
  giveAll(): void {
    while (this.#waiting.size > 0) this.give();
  }
}
