/**
 * Passes replies to the host one after another, in the order of the calls. The host sends results to the model in the order in which it
 * took the replies. If the host gets two replies at once, their order is arbitrary (observed on 1.0.14).
 */
export class OrderedReplies {
  readonly #taken = new Map<string, () => void>();
  /** Settles when the host has taken the replies of all calls so far. */
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves with the reply when the host has taken the replies of all earlier calls. */
  async pass<T>(callId: string, reply: Promise<T>): Promise<T> {
    const earlier = this.#last;
    const { promise: taken, resolve } = Promise.withResolvers<void>();
    this.#taken.set(callId, resolve);
    this.#last = Promise.all([earlier, reply.then(() => taken).catch(() => {})]);
    const value = await reply;
    await earlier;
    return value;
  }

  /** Records that the host has taken the reply of this call. */
  confirm(callId: string): void {
    this.#taken.get(callId)?.();
    this.#taken.delete(callId);
  }

  /** Releases all replies. */
  stop(): void {
    for (const callId of this.#taken.keys()) this.confirm(callId);
  }
}
