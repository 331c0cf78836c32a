import type { ServerResponse } from "node:http";

/** The abort reason of a request's signal if the server shuts down. Any other reason means that the client has disconnected. */
export class ServerEnding extends Error {
  override readonly name = "ServerEnding";

  constructor() {
    super("The server is shutting down.");
  }
}

export interface ResponseSignals {
  /** Aborted when the response has ended, so that no work is done for a disconnected client, or when the server shuts down. */
  readonly signal: AbortSignal;
  /** Aborted when the response has ended. */
  readonly gone: AbortSignal;
}

/** The signals of all requests in progress. */
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

  /** Aborts all signals, including future ones. */
  end(): void {
    this.#isEnding = true;
    for (const controller of this.#open) controller.abort(new ServerEnding());
  }
}
