import { untilAborted } from "@bridle/core";

/** A caller that waits for the shared work. */
interface Waiter {
  readonly signal?: AbortSignal | undefined;
}

interface Running<W, T> {
  readonly result: Promise<T>;
  readonly waiters: Set<W>;
  readonly abort: AbortController;
}

/**
 * Work that several callers share, so that it never runs twice at the same time. A caller that aborts stops waiting immediately. When no
 * caller waits any longer, the work is aborted.
 */
export class SharedWork<W extends Waiter, T> {
  readonly #work: (waiters: ReadonlySet<W>, signal: AbortSignal) => Promise<T>;
  #previous: Promise<unknown> = Promise.resolve();
  #running: Running<W, T> | undefined;

  constructor(work: (waiters: ReadonlySet<W>, signal: AbortSignal) => Promise<T>) {
    this.#work = work;
  }

  /** Joins the work in progress, or starts it. Rejects with the signal's reason if the signal is aborted. */
  async join(waiter: W): Promise<T> {
    waiter.signal?.throwIfAborted();
    this.#running ??= this.#start();
    const running = this.#running;
    running.waiters.add(waiter);
    try {
      return await (waiter.signal ? untilAborted(running.result, waiter.signal) : running.result);
    } finally {
      running.waiters.delete(waiter);
      if (running.waiters.size === 0) {
        running.abort.abort(waiter.signal?.reason);
        this.#end(running.abort);
      }
    }
  }

  /** Aborts the work in progress, and resolves when it has ended. */
  async stop(): Promise<void> {
    this.#running?.abort.abort(new Error("The work was stopped."));
    await this.#previous;
  }

  /** Resolves when no work is in progress. */
  async settled(): Promise<void> {
    await this.#previous;
  }

  #start(): Running<W, T> {
    const [waiters, abort] = [new Set<W>(), new AbortController()];
    const result = this.#previous.then(() => this.#work(waiters, abort.signal)).finally(() => this.#end(abort));
    this.#previous = result.catch(() => {}); // the waiters get the error
    return { result, waiters, abort };
  }

  #end(abort: AbortController): void {
    if (this.#running?.abort === abort) this.#running = undefined;
  }
}
