import type { RunEvent } from "@bridle/protocol";
import { BridleRequestError } from "./request-error.ts";

/**
 * The position of a client in a session. Distinguishes new events from known ones, and the session from a later session with the same id.
 */
export class FollowedPlace {
  readonly session: string;
  #seq: number;
  #last: RunEvent | undefined;

  /** `after` is the number of the last event that the client has. */
  constructor(session: string, after: number) {
    this.session = session;
    this.#seq = after;
  }

  /** The number from which to request events: the last known event again, to check that it is still the same, and the events after it. */
  get after(): number {
    return this.#last === undefined ? this.#seq : this.#seq - 1;
  }

  /**
   * Classifies an event. `gap` means that events before it are missing. Throws BridleRequestError if the event belongs to another session
   * with the same id.
   */
  take(event: RunEvent): "new" | "known" | "gap" {
    if (event.seq < this.#seq) return "known";
    if (event.seq > this.#seq + 1) return "gap";
    if (event.seq === this.#seq) {
      if (this.#last !== undefined && !isSame(event, this.#last)) throw removedSession(this.session);
      return "known";
    }
    this.#seq = event.seq;
    this.#last = event;
    return "new";
  }
}

/** Returns the error for a session that was removed while a client followed it. */
export function removedSession(session: string): BridleRequestError {
  const detail = `The session "${session}" was removed. If there is one with this id again, follow it from its start.`;
  return new BridleRequestError(410, { code: "session-removed", detail, session });
}

function isSame(one: RunEvent, other: RunEvent): boolean {
  return one.runId === other.runId && one.time === other.time && one.type === other.type;
}
