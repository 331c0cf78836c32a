/**
 * Brings the calls of one response into the model's order. A host may ask for them early, or in another order: each waits
 * until the response is complete and all earlier calls were made or refused.
 */
export class OrderedCalls {
  readonly #waiting = new Map<string, () => void>();
  readonly #settled = new Set<string>();
  #order: string[] = [];

  /** The response is complete: these are its calls, in the model's order. */
  begin(callIds: readonly string[]): void {
    this.#order.push(...callIds);
    this.#advance();
  }

  /** Makes the call when it is its turn. Calls begin strictly one after another, but do not wait for each other's result. */
  make<T>(callId: string, call: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.set(callId, () => void call().then(resolve, reject));
    this.#advance();
    return promise;
  }

  /** The host refused the call, so later ones do not wait for it. */
  skip(callId: string): void {
    this.#settled.add(callId);
    this.#advance();
  }

  #advance(): void {
    for (let [first] = this.#order; first !== undefined; [first] = this.#order) {
      const begin = this.#waiting.get(first);
      if (!begin && !this.#settled.has(first)) return;
      this.#order = this.#order.slice(1);
      if (!this.#settled.has(first)) begin?.();
    }
  }
}
