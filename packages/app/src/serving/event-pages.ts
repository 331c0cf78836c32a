import { setImmediate } from "node:timers/promises";
import { Changes } from "@bridle/core";
import type { EventLog, RunEvent } from "@bridle/protocol";
import type { EventPages } from "./workspace.ts";

/** Events in memory for one viewer. */
const pageLength = 200;

/** Pages of a session that several viewers share, because most of them read at the same place. */
const sharedPages = 4;

/** Viewers of sessions. Each has its own place in the event log; one follower for each session wakes all of them. */
export class SessionViewers implements EventPages {
  readonly #eventLog: Pick<EventLog, "read" | "follow">;
  readonly #feeds = new Map<string, SessionFeed>();

  constructor(eventLog: Pick<EventLog, "read" | "follow">) {
    this.#eventLog = eventLog;
  }

  /** Whether somebody follows a session. */
  get isInUse(): boolean {
    return this.#feeds.size > 0;
  }

  async *follow(sessionId: string, after: number, signal: AbortSignal): AsyncGenerator<readonly RunEvent[]> {
    const feed = this.#join(sessionId);
    try {
      for (let seen = after; !signal.aborted; ) {
        const changed = feed.nextChange(); // before the read, so that nothing is missed between the two
        const page = await feed.read(seen);
        if (signal.aborted) return;
        if (page.length === 0) await firstOf(changed, signal);
        else {
          seen = page.at(-1)?.seq ?? seen;
          yield page;
          await setImmediate(); // other requests get their turn
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

/** The events of one session for its viewers. */
class SessionFeed {
  readonly #sessionId: string;
  readonly #eventLog: Pick<EventLog, "read" | "follow">;
  readonly #changes = new Changes();
  readonly #ended = new AbortController();
  /** The newest pages, by the number of the event before. */
  readonly #pages = new Map<number, Promise<readonly RunEvent[]>>();
  #viewers = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(sessionId: string, eventLog: Pick<EventLog, "read" | "follow">) {
    this.#sessionId = sessionId;
    this.#eventLog = eventLog;
    void this.#watch();
  }

  enter(): void {
    this.#viewers += 1;
  }

  /** Whether this was the last viewer. */
  leave(): boolean {
    this.#viewers -= 1;
    if (this.#viewers === 0) this.#ended.abort();
    return this.#viewers === 0;
  }

  nextChange(): Promise<void> {
    return this.#changes.next();
  }

  /** The next page after an event. Rejects if the event log cannot be read. */
  async read(after: number): Promise<readonly RunEvent[]> {
    if (this.#failure) throw this.#failure.error;
    const shared = this.#pages.get(after);
    if (shared !== undefined) return shared;
    const page = this.#eventLog.read({ sessionId: this.#sessionId, from: after + 1, limit: pageLength });
    this.#pages.set(after, page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > sharedPages && oldest !== undefined) this.#pages.delete(oldest);
    return page;
  }

  /** Wakes the viewers when something is written. */
  async #watch(): Promise<void> {
    const sessionId = this.#sessionId;
    try {
      const [newest] = await this.#eventLog.read({ sessionId, last: 1 });
      this.#announce(); // what a viewer read before may be less
      const from = (newest?.seq ?? 0) + 1;
      for await (const _event of this.#eventLog.follow({ sessionId, from }, this.#ended.signal)) this.#announce();
    } catch (error) {
      this.#failure = { error };
      this.#announce();
    }
  }

  #announce(): void {
    this.#pages.clear();
    this.#changes.announce();
  }
}

async function firstOf(changed: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const onAbort = () => aborted.resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  await Promise.race([changed, aborted.promise]);
  signal.removeEventListener("abort", onAbort);
}
