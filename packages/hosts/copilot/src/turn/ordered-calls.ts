/**
 * Brings the calls of one response into the model's order. A host may ask for them early, or in another order: each waits
 * until the response is complete and all earlier calls were made or refused.
 */
export class OrderedCalls {
  readonly #gates = new Map<string, PromiseWithResolvers<void>>();
  readonly #settled = new Set<string>();
  #order: string[] = [];

  /** The response is complete: these are its calls, in the model's order. */
  begin(callIds: readonly string[]): void {
    this.#order.push(...callIds);
    this.#advance();
  }

  /** Resolves when it is the turn of this call. The caller then makes it at once. */
  async reach(callId: string): Promise<void> {
    const gate = Promise.withResolvers<void>();
    this.#gates.set(callId, gate);
    this.#advance();
    await gate.promise;
  }

  /** The host refused the call, so later ones do not wait for it. */
  skip(callId: string): void {
    this.#settled.add(callId);
    this.#advance();
  }

  #advance(): void {
    for (let [first] = this.#order; first !== undefined; [first] = this.#order) {
      const gate = this.#gates.get(first);
      if (!gate && !this.#settled.has(first)) return;
      gate?.resolve();
      this.#order = this.#order.slice(1);
    }
  }
}
