/** Handles API failures during a fetch. */
import { isBridleError } from "@bridle/protocol";
import type { FetchEvent } from "../source.ts";
import { ApiError } from "./api-client.ts";

/**
 * Passes events on. Throws a failure before the first event, because nothing could be read. Yields a later failure as the last event, a
 * problem, so that no `complete` follows and no item counts as deleted. An aborted fetch throws the reason of its signal.
 */
export async function* fetchSafely(events: AsyncIterable<FetchEvent>, signal: AbortSignal): AsyncIterable<FetchEvent> {
  let hasBegun = false;
  try {
    for await (const event of events) {
      signal.throwIfAborted();
      hasBegun = true;
      yield event;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!hasBegun || !isBridleError(error)) throw error;
    yield { kind: "problem", message: `${error.message} Items that were not read yet were not changed.` };
  }
}

/** The number of failures in a row after which the service counts as down. */
const maxInARow = 5;

/** Decides whether a failure concerns one item or ends the fetch. */
export class ItemFailures {
  #inARow = 0;

  succeeded(): void {
    this.#inARow = 0;
  }

  /** Converts an error to a problem of the item. Throws the error if it concerns more than this item. */
  toProblem(error: unknown, id: string): FetchEvent {
    if (!(error instanceof ApiError) || error.failure === "login") throw error;
    this.#inARow = error.failure === "busy" ? this.#inARow + 1 : 0;
    if (this.#inARow >= maxInARow) throw error;
    return { kind: "problem", id, message: error.message };
  }
}
