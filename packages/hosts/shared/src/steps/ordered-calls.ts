type Excludes<Request> = (request: Request, callId: string) => boolean;

/**
 * Makes the calls of a response in the model's order, after the response is complete. The host may ask for calls early or out of order, and
 * for some of them only after others have their reply.
 *
 * The host asks with `request`, in any order and at any time. `complete` marks the response as complete and lists its calls in the model's
 * order. A call is made as soon as the host has asked for it and every earlier call is made. Do not list calls that the host itself
 * refuses, because it never asks for them.
 *
 * Some hosts make certain calls alone: they ask for such a call only if no other call is open, and for nothing else until it has its reply.
 * If such a host asks for a call before its turn, the call is made at once, because the calls before it would never be requested.
 */
export class OrderedCalls<Request extends { readonly callId: string }, Reply> {
  readonly #make: (request: Request) => Promise<Reply>;
  readonly #asked = new Map<string, { request: Request; reply: PromiseWithResolvers<Reply> }>();
  readonly #excludes: Excludes<Request>;
  /** The calls of complete responses that are not made yet, in the model's order. */
  readonly #due: string[] = [];
  /** Calls whose turn has come. Each is made as soon as the host asks for it. */
  readonly #postponed = new Set<string>();

  /**
   * @param make makes one call. It is called in the model's order, and not awaited before the next call.
   * @param excludes Returns whether the host cannot ask for a call before a request has its reply. Default: it can.
   */
  constructor(make: (request: Request) => Promise<Reply>, excludes: Excludes<Request> = () => false) {
    this.#make = make;
    this.#excludes = excludes;
  }

  /** Returns the reply for the host. The reply is pending until the call is made, and forever if the response never becomes complete. */
  request(request: Request): Promise<Reply> {
    const reply = Promise.withResolvers<Reply>();
    this.#asked.set(request.callId, { request, reply });
    this.#makeDue();
    return reply.promise;
  }

  /** Marks the response as complete, with these calls that the host will ask for. */
  complete(callIds: readonly string[]): void {
    this.#due.push(...callIds);
    this.#makeDue();
  }

  /** Skips a call that the host will not ask for after all. Later calls no longer wait for it. */
  skip(callId: string): void {
    const index = this.#due.indexOf(callId);
    if (index >= 0) this.#due.splice(index, 1);
    this.#postponed.delete(callId);
    this.#makeDue();
  }

  #makeDue(): void {
    for (const callId of [...this.#postponed]) if (this.#makeCall(callId)) this.#postponed.delete(callId);
    for (let [next] = this.#due; next !== undefined; [next] = this.#due) {
      const isAsked = this.#asked.has(next);
      if (!isAsked && !this.#isExcluded(next)) return;
      this.#due.shift();
      if (isAsked) this.#makeCall(next);
      else this.#postponed.add(next);
    }
  }

  /** Makes a call. Returns false if the host has not asked for it. */
  #makeCall(callId: string): boolean {
    const asked = this.#asked.get(callId);
    if (!asked) return false;
    this.#asked.delete(callId);
    this.#make(asked.request).then(asked.reply.resolve, asked.reply.reject);
    return true;
  }

  /** Whether the host waits for the reply to a later call, for which it has already asked, before it asks for this call. */
  #isExcluded(callId: string): boolean {
    const requests = this.#due.flatMap((due) => this.#asked.get(due)?.request ?? []);
    return requests.some((request) => this.#excludes(request, callId));
  }
}
