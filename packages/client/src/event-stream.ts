import type { RunEvent } from "@bridle/protocol";
import { removedSession } from "./followed-place.ts";
import type { Http, HttpRequest } from "./http.ts";
import { BridleRequestError } from "./request-error.ts";
import { readServerSentEvents, type ServerSentEvent } from "./server-sent-events.ts";

export interface ReconnectOptions {
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined;
  /** Called with `false` when the connection breaks and will be reopened, and with `true` when it is open. */
  readonly onConnection?: ((isOpen: boolean) => void) | undefined;
}

/** Milliseconds before the client reopens the connection: after the first failure, and the maximum. */
const firstWaitMs = 250;
const maxWaitMs = 5000;

/**
 * Yields what `connect` yields, and calls `connect` again when its iteration ends or fails. Ends when the signal is aborted. Throws
 * BridleRequestError if the server refuses the request.
 */
export async function* reconnecting<T>(
  connect: () => AsyncIterable<T>,
  { signal, onConnection }: ReconnectOptions,
): AsyncGenerator<T> {
  for (let waitMs = firstWaitMs; !signal?.aborted; ) {
    try {
      for await (const value of connect()) {
        waitMs = firstWaitMs;
        yield value;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof BridleRequestError && isFinal(error)) throw error;
    }
    if (signal?.aborted) return;
    onConnection?.(false);
    await sleep(waitMs, signal);
    waitMs = Math.min(waitMs * 2, maxWaitMs);
  }
}

/**
 * Whether the server would refuse the same request again. A wrong token stays wrong, and each further attempt with it delays other clients
 * longer.
 */
function isFinal({ status, code }: BridleRequestError): boolean {
  return status < 500 && (status !== 429 || code === "too-many-tokens");
}

/**
 * Yields the messages of one connection to a stream of the server, until the connection ends. Throws if the server sends nothing for so
 * long that the connection must be lost, for example after sleep. A live server sends a comment every 15 seconds.
 */
export async function* openEvents(
  http: Http,
  path: readonly string[],
  { query, signal, onConnection }: ReconnectOptions & Pick<HttpRequest, "query">,
): AsyncGenerator<ServerSentEvent> {
  const watchdog = new Watchdog(http.quietMs, signal);
  const headers = { accept: "text/event-stream" };
  const { body } = await watchdog.during(http.send("GET", path, { query, headers, signal: watchdog.signal }));
  onConnection?.(true);
  if (body === null) return;
  for await (const message of readServerSentEvents(body, (read) => watchdog.during(read))) {
    if (message.event === "bye") return throwIfRemoved(message.data);
    yield message;
  }
}

/** Returns the event in a message, or undefined for messages of topics. */
export function parseEvent({ data }: ServerSentEvent): RunEvent | undefined {
  const parsed = JSON.parse(data) as Partial<RunEvent>; // the same format as in the event log
  return typeof parsed.seq === "number" ? (parsed as RunEvent) : undefined;
}

function throwIfRemoved(data: string): void {
  const { reason, sessionId } = JSON.parse(data) as { readonly reason: string; readonly sessionId?: string };
  if (reason === "removed" && sessionId !== undefined) throw removedSession(sessionId);
}

/** Closes a silent connection. Time spent by a slow reader does not count. */
class Watchdog {
  readonly signal: AbortSignal;
  readonly #quietMs: number;
  readonly #lost = new AbortController();

  constructor(quietMs: number, signal: AbortSignal | undefined) {
    this.#quietMs = quietMs;
    this.signal = signal === undefined ? this.#lost.signal : AbortSignal.any([signal, this.#lost.signal]);
  }

  async during<T>(work: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const error = new Error(`Nothing arrived for ${this.#quietMs} ms.`);
      this.#lost.abort(error);
      reject(error);
    }, this.#quietMs);
    try {
      return await Promise.race([work, promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
  });
}
