/**
 * Makes the calls of a response in the model's order, after the response is complete, for a host that asks for them early,
 * out of order, or some of them only after others have their reply.
 *
 * The host asks with `request`, in any order and at any time. `complete` says that the response is complete, and which calls
 * it has, in the model's order. A call is made as soon as the host has asked for it and every earlier one is made. Leave
 * out calls that the host refuses by itself: it never asks for them.
 */
export class OrderedCalls<Request extends { readonly callId: string }, Reply> {
  readonly #make: (request: Request) => Promise<Reply>;
  readonly #asked = new Map<string, { request: Request; reply: PromiseWithResolvers<Reply> }>();
  /** The calls of complete responses that are not made yet, in the model's order. */
  readonly #due: string[] = [];

  /** `make` makes one call. It is invoked in the model's order, and not awaited before the next one. */
  constructor(make: (request: Request) => Promise<Reply>) {
    this.#make = make;
  }

  /** The reply for the host. Pending until the call is made; for ever if the response never becomes complete. */
  request(request: Request): Promise<Reply> {
    const reply = Promise.withResolvers<Reply>();
    this.#asked.set(request.callId, { request, reply });
    this.#makeDue();
    return reply.promise;
  }

  /** The response is complete, with these calls that the host will ask for. */
  complete(callIds: readonly string[]): void {
    this.#due.push(...callIds);
    this.#makeDue();
  }

  /** The host will not ask for this call after all. Later calls no longer wait for it. */
  skip(callId: string): void {
    const index = this.#due.indexOf(callId);
    if (index >= 0) this.#due.splice(index, 1);
    this.#makeDue();
  }

  #makeDue(): void {
    for (let next = this.#asked.get(this.#due[0] ?? ""); next; next = this.#asked.get(this.#due[0] ?? "")) {
      this.#asked.delete(next.request.callId);
      this.#due.shift();
      this.#make(next.request).then(next.reply.resolve, next.reply.reject);
    }
  }
}
