import { setImmediate } from "node:timers/promises";
import type { EventLog, RunEvent } from "@bridle/protocol";
import { ReadingTurns } from "./reading-turns.ts";
import { SessionRemovedError } from "./serving-errors.ts";
import { pageLength, SessionFeed } from "./session-feed.ts";
import type { EventPages } from "./workspace.ts";

/** The viewers of sessions. Each has its own position in the event log. One follower for each session wakes all of its viewers. */
export class SessionViewers implements EventPages {
  readonly #eventLog: Pick<EventLog, "read" | "follow">;
  readonly #feeds = new Map<string, SessionFeed>();
  readonly #turns = new ReadingTurns();

  constructor(eventLog: Pick<EventLog, "read" | "follow">) {
    this.#eventLog = eventLog;
  }

  /** Whether any client is following a session. */
  get isInUse(): boolean {
    return this.#feeds.size > 0;
  }

  /** Notifies a session's viewers immediately that the session was removed. Otherwise they would notice within a second. */
  noteRemoval(sessionId: string): void {
    this.#feeds.get(sessionId)?.look();
  }

  async *follow(sessionId: string, after: number, signal: AbortSignal): AsyncGenerator<readonly RunEvent[]> {
    const feed = this.#join(sessionId);
    try {
      let last: RunEvent | undefined;
      for (let seen = after; !signal.aborted; ) {
        const changed = feed.nextChange(); // before the read, so that no change is missed in between
        const { before, page } = await feed.read(seen);
        if (signal.aborted) return;
        if (seen > 0 && !isSame(before, last ?? before)) {
          feed.restart();
          throw new SessionRemovedError(sessionId);
        }
        last = page.at(-1) ?? before;
        if (page.length === 0) await firstOf(changed, signal);
        else {
          seen = last?.seq ?? seen;
          yield page;
          await (page.length < pageLength ? setImmediate() : this.#turns.next(sessionId, seen)); // other requests are handled in between
        }
      }
    } finally {
      if (feed.leave()) this.#feeds.delete(sessionId);
    }
  }

  #join(sessionId: string): SessionFeed {
    const feed = this.#feeds.get(sessionId) ?? new SessionFeed(sessionId, this.#eventLog);
    this.#feeds.set(sessionId, feed);
    feed.enter();
    return feed;
  }
}

/** Whether two events are the same, and not events of two sessions that had the same id. */
function isSame(event: RunEvent | undefined, known: RunEvent | undefined): boolean {
  return event !== undefined && event.runId === known?.runId && event.time === known.time && event.type === known.type;
}

async function firstOf(changed: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const onAbort = () => aborted.resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  await Promise.race([changed, aborted.promise]);
  signal.removeEventListener("abort", onAbort);
}
