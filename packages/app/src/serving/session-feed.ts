import { Changes } from "@bridle/core";
import type { EventLog, RunEvent } from "@bridle/protocol";

/** The maximum number of events in a page. Only the newest page can be shorter. */
export const pageLength = 200;

/** How many pages of a session are kept, because most viewers read at the same position. */
const sharedPages = 4;

/** Milliseconds between checks without an announcement: a removal by another process is not announced, and the follower may have failed. */
const lookMs = 1000;

/** Events after a position, and the event at the position, which shows whether the session is still the same. */
export interface PageAfter {
  /** Missing at the start, and if the session has no such event. */
  readonly before: RunEvent | undefined;
  readonly page: readonly RunEvent[];
}

type FollowedLog = Pick<EventLog, "read" | "follow">;

/** Reads the events of one session for its viewers. */
export class SessionFeed {
  readonly #sessionId: string;
  readonly #eventLog: FollowedLog;
  readonly #changes = new Changes();
  /** The newest pages, by the number of the preceding event. */
  readonly #pages = new Map<number, Promise<PageAfter>>();
  readonly #timer: NodeJS.Timeout;
  #watching: AbortController | undefined;
  #viewers = 0;

  constructor(sessionId: string, eventLog: FollowedLog) {
    this.#sessionId = sessionId;
    this.#eventLog = eventLog;
    this.#timer = setInterval(() => this.look(), lookMs);
    this.look();
  }

  enter(): void {
    this.#viewers += 1;
  }

  /** Removes a viewer, and returns whether it was the last one. */
  leave(): boolean {
    this.#viewers -= 1;
    if (this.#viewers > 0) return false;
    clearInterval(this.#timer);
    this.#watching?.abort();
    return true;
  }

  nextChange(): Promise<void> {
    return this.#changes.next();
  }

  /** Returns the page after an event. Rejects if the event log cannot be read; the next call tries again. */
  read(after: number): Promise<PageAfter> {
    const shared = this.#pages.get(after);
    if (shared !== undefined) return shared;
    const read = this.#readAfter(after);
    this.#pages.set(after, read);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > sharedPages && oldest !== undefined) this.#pages.delete(oldest);
    read.catch(() => {
      if (this.#pages.get(after) === read) this.#pages.delete(after);
    });
    return read;
  }

  /** Makes all viewers read again, and starts to follow the session if nothing follows it. */
  look(): void {
    if (this.#watching === undefined) void this.#watch();
    this.#announce();
  }

  /** Follows the session again from its newest event: a new session with the same id may have fewer events than the old one. */
  restart(): void {
    this.#watching?.abort();
    this.#watching = undefined;
    this.look();
  }

  async #readAfter(after: number): Promise<PageAfter> {
    const sessionId = this.#sessionId;
    const from = Math.max(after, 1);
    const events = await this.#eventLog.read({ sessionId, from, limit: pageLength + (after === 0 ? 0 : 1) });
    if (after === 0) return { before: undefined, page: events };
    return { before: events.find(({ seq }) => seq === after), page: events.filter(({ seq }) => seq > after) };
  }

  /** Wakes the viewers when events are written. */
  async #watch(): Promise<void> {
    const watching = new AbortController();
    this.#watching = watching;
    const { signal } = watching;
    const sessionId = this.#sessionId;
    try {
      const [newest] = await this.#eventLog.read({ sessionId, last: 1 });
      this.#announce(); // a viewer may have read an older state
      const from = (newest?.seq ?? 0) + 1;
      for await (const _event of this.#eventLog.follow({ sessionId, from }, signal)) this.#announce();
    } catch {
      this.#announce(); // a viewer that reads gets the same error, if it persists
    } finally {
      if (this.#watching === watching) this.#watching = undefined;
    }
  }

  #announce(): void {
    this.#pages.clear();
    this.#changes.announce();
  }
}
