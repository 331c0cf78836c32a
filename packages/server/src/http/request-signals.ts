import type { ServerResponse } from "node:http";

/** The reason of the signal of a request if the server ends. Without it, the client is gone. */
export class ServerEnding extends Error {
  override readonly name = "ServerEnding";

  constructor() {
    super("The server is shutting down.");
  }
}

/** The signals of all requests that are being answered. */
export class RequestSignals {
  readonly #open = new Set<AbortController>();
  #isEnding = false;

  /** Aborted when the response is over, so that nobody works for a client that is gone, or when the server ends. */
  forResponse(outgoing: ServerResponse): AbortSignal {
    const controller = new AbortController();
    this.#open.add(controller);
    outgoing.once("close", () => {
      this.#open.delete(controller);
      controller.abort();
    });
    if (this.#isEnding) controller.abort(new ServerEnding());
    return controller.signal;
  }

  /** Aborts all, and those to come. */
  end(): void {
    this.#isEnding = true;
    for (const controller of this.#open) controller.abort(new ServerEnding());
  }
}
