import { ConfigError, type EventLog, type SessionSummary, suggestion } from "@bridle/protocol";
import { UsageError } from "../context/usage-error.ts";

/** Returns the id of an existing session. Throws UsageError without an id, and ConfigError with the nearest known id. */
export function requireSession(eventLog: EventLog, id: string | undefined): string {
  if (id === undefined) throw new UsageError('The id of the session is missing. "bridle sessions list" shows the ids.');
  if (eventLog.events({ sessionId: id, limit: 1 }).length > 0) return id;
  const known = eventLog.sessions().map(({ sessionId }) => sessionId);
  throw new ConfigError(`This project has no session "${id}".${suggestion(id, known)}`);
}

/** Whether a session is a trial of a test case, which is not a conversation with a person. */
export function isTestSession({ labels }: Pick<SessionSummary, "labels">): boolean {
  return ["test", "case", "trial"].every((name) => labels?.[name] !== undefined);
}

/** Returns the id of the session with the newest event, without the sessions of tests. Throws ConfigError if there is none. */
export function newestSession(eventLog: EventLog): string {
  const newest = eventLog.sessions().find((session) => !isTestSession(session));
  if (newest) return newest.sessionId;
  throw new ConfigError('This project has no session to resume. "bridle run --session ID" starts one.');
}
