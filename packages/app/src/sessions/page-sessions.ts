import { setImmediate } from "node:timers/promises";
import type { EventLog, SessionQuery, SessionSummary } from "@bridle/protocol";
import { isTestSession } from "../events/find-session.ts";

export interface SessionPage {
  readonly sessions: readonly SessionSummary[];
  /** The position of the next page; undefined if this is the last page. */
  readonly next?: NonNullable<SessionQuery["after"]> | undefined;
}

export interface SessionPageOptions {
  /** The maximum number of sessions in the page. */
  readonly limit: number;
  /** The `next` of the previous page. Default: begins with the newest session. */
  readonly after?: SessionQuery["after"] | undefined;
  /** Whether to list the sessions of test cases. Default: false, which lists all other sessions. */
  readonly tests?: boolean | undefined;
  /** Filters the sessions of a page. Default: all. */
  select?(page: readonly SessionSummary[]): readonly SessionSummary[];
}

/** The maximum number of sessions to examine for one page. If few sessions match, a page has fewer sessions than `limit`, and a `next`. */
const maxExamined = 10_000;
const readAtOnce = 1000;

/** Returns a page of the list of sessions, the newest first. Reads no events, and only as much of the list as it needs. */
export async function pageSessions(
  eventLog: Pick<EventLog, "sessions">,
  { limit, after, tests = false, select = (page) => page }: SessionPageOptions,
): Promise<SessionPage> {
  const sessions: SessionSummary[] = [];
  let place = after;
  for (let seen = 0, size = Math.min(limit + 1, readAtOnce); seen < maxExamined; size = readAtOnce) {
    const page = await eventLog.sessions({ last: size, ...(place && { after: place }) });
    const listed = new Set(select(page.filter((session) => isTestSession(session) === tests)));
    for (const session of page) {
      if (listed.has(session)) {
        if (sessions.length === limit) return { sessions, next: place };
        sessions.push(session);
      }
      place = { sessionId: session.sessionId, lastAt: session.lastAt };
    }
    if (page.length < size) return { sessions };
    seen += page.length;
    await setImmediate(); // lets other work of the process run
  }
  return { sessions, next: place };
}
