import type { RunEvent } from "@bridle/protocol";
import type { Http } from "./http.ts";
import { BridleRequestError } from "./request-error.ts";
import { readServerSentEvents } from "./server-sent-events.ts";

export interface FollowedSession {
  readonly session: string;
  /** The last event that you have. */
  readonly after: number;
  readonly signal: AbortSignal | undefined;
  /** Called when the connection broke and will be opened again, and when it is open. */
  onConnection(isOpen: boolean): void;
}

/** Milliseconds before the connection is opened again: after the first failure, and at most. */
const firstWaitMs = 250;
const longestWaitMs = 5000;

/**
 * Yields the events of a session after a number, each once and in order, and then the new ones. Opens the connection again when
 * it breaks, and continues where it was. Ends when the signal is aborted. Throws BridleRequestError if the server refuses.
 */
export async function* followSession(http: Http, followed: FollowedSession): AsyncGenerator<RunEvent> {
  const { session, signal, onConnection } = followed;
  let last = followed.after;
  for (let waitMs = firstWaitMs; !signal?.aborted; ) {
    try {
      for await (const event of connect(http, session, last, signal, onConnection)) {
        if (event.seq <= last) continue;
        if (event.seq > last + 1) break; // something is missing: ask again for what comes after the last one
        last = event.seq;
        waitMs = firstWaitMs;
        yield event;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof BridleRequestError && error.status < 500 && error.status !== 429) throw error;
    }
    if (signal?.aborted) return;
    onConnection(false);
    await sleep(waitMs, signal);
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  }
}

async function* connect(
  http: Http,
  session: string,
  after: number,
  signal: AbortSignal | undefined,
  onConnection: (isOpen: boolean) => void,
): AsyncGenerator<RunEvent> {
  const headers = { accept: "text/event-stream" };
  const { body } = await http.send("GET", `/sessions/${session}/events`, { query: { after }, headers, signal });
  onConnection(true);
  if (body === null) return;
  for await (const { event, data } of readServerSentEvents(body)) {
    if (event === "bye") return;
    const parsed = JSON.parse(data) as RunEvent; // as it is in the event log
    if (typeof parsed.seq === "number") yield parsed;
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
