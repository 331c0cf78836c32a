import type { ServerResponse } from "node:http";

/** The reason of the signal of a request if the server ends. Without it, the client is gone. */
export class ServerEnding extends Error {
  override readonly name = "ServerEnding";

  constructor() {
    super("The server is shutting down.");
  }
}

export interface ResponseSignals {
  /** Aborted when the response is over, so that nobody works for a client that is gone, or when the server ends. */
  readonly signal: AbortSignal;
  /** Aborted when the response is over. */
  readonly gone: AbortSignal;
}

/** The signals of all requests that are being answered. */
export class RequestSignals {
  readonly #open = new Set<AbortController>();
  #isEnding = false;

  forResponse(outgoing: ServerResponse): ResponseSignals {
    const controller = new AbortController();
    const gone = new AbortController();
    this.#open.add(controller);
    outgoing.once("close", () => {
      this.#open.delete(controller);
      controller.abort();
      gone.abort();
    });
    if (this.#isEnding) controller.abort(new ServerEnding());
    return { signal: controller.signal, gone: gone.signal };
  }

  /** Aborts all, and those to come. */
  end(): void {
    this.#isEnding = true;
    for (const controller of this.#open) controller.abort(new ServerEnding());
  }
}
