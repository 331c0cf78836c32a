import { type EventLog, NotFoundError, type SessionSummary, suggestion } from "@bridle/protocol";
import { UsageError } from "../context/usage-error.ts";

/** Returns the id of an existing session. Throws UsageError if no id is given, and NotFoundError with the nearest known id. */
export async function requireSession(eventLog: EventLog, id: string | undefined): Promise<string> {
  if (id === undefined) throw new UsageError('The id of the session is missing. "bridle sessions list" shows the ids.');
  if ((await eventLog.read({ sessionId: id, limit: 1 })).length > 0) return id;
  throw await unknownSession(eventLog, id);
}

/** Returns the error for the id of a session that does not exist, with the nearest of the newest ids. */
export async function unknownSession(eventLog: Pick<EventLog, "sessions">, id: string): Promise<NotFoundError> {
  const known = (await eventLog.sessions({ last: maxSuggested })).map(({ sessionId }) => sessionId);
  return new NotFoundError(`This project has no session "${id}".${suggestion(id, known)}`);
}

/** The maximum number of newest sessions and runs to compare with a misspelled id. */
export const maxSuggested = 1000;

/** Whether a session is the trial of a test case, and not a conversation with a user. */
export function isTestSession({ labels }: Pick<SessionSummary, "labels">): boolean {
  return ["test", "case", "trial"].every((name) => labels?.[name] !== undefined);
}

/** The number of sessions in a page of the list. */
const maxInPage = 1000;

/** Yields the sessions, the newest first. Reads a first page of `expected` sessions, and more only when the caller asks for them. */
export async function* readSessions(
  eventLog: Pick<EventLog, "sessions">,
  expected: number,
): AsyncGenerator<SessionSummary> {
  let size = Math.min(Math.max(expected, 1), maxInPage);
  let page = await eventLog.sessions({ last: size });
  for (;;) {
    yield* page;
    const after = page.at(-1);
    if (page.length < size || after === undefined) return;
    size = maxInPage;
    page = await eventLog.sessions({ last: size, after });
  }
}

/**
 * Returns the id of the session with the newest event, without those of tests and of agents that other agents called. Throws
 * NotFoundError if there is none.
 */
export async function newestSession(eventLog: Pick<EventLog, "sessions">): Promise<string> {
  for await (const session of readSessions(eventLog, 1))
    if (!isTestSession(session) && session.newest?.nested !== true) return session.sessionId;
  throw new NotFoundError('This project has no session to resume. "bridle run --session ID" starts one.');
}
