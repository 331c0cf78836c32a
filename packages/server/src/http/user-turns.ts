/**
 * Limits the concurrent requests of each user. Further requests of the same user wait, so that only a few of one user's requests
 * delay the work of other users.
 */
export class UserTurns {
  readonly #max: number;
  readonly #working = new Map<string, number>();
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Performs the work when its turn comes. Rejects with the signal's reason if the signal is aborted before that. */
  async perform<T>(user: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#begin(user, signal);
    try {
      return await work();
    } finally {
      this.#end(user);
    }
  }

  async #begin(user: string, signal: AbortSignal): Promise<void> {
    const working = this.#working.get(user) ?? 0;
    if (working >= this.#max) await this.#wait(user, signal);
    else this.#working.set(user, working + 1);
  }

  #wait(user: string, signal: AbortSignal): Promise<void> {
    const waiting = this.#waiting.get(user) ?? new Set();
    this.#waiting.set(user, waiting);
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(begin);
        reject(signal.reason);
      };
      waiting.add(begin);
      signal.addEventListener("abort", leave, { once: true });
      if (signal.aborted) leave();
    });
  }

  /** Passes the slot of the finished request to the next one. */
  #end(user: string): void {
    const waiting = this.#waiting.get(user);
    const [next] = waiting ?? [];
    if (next !== undefined) {
      waiting?.delete(next);
      setImmediate(next); // other users' work comes first
      return;
    }
    this.#waiting.delete(user);
    const left = (this.#working.get(user) ?? 0) - 1;
    if (left > 0) this.#working.set(user, left);
    else this.#working.delete(user);
  }
}
