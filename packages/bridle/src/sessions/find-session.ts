import { ConfigError, type EventLog, type SessionSummary, suggestion } from "@bridle/protocol";
import { UsageError } from "../cli/usage-error.ts";

/** The id itself, of a session that is on record. Throws UsageError without one, and ConfigError with the nearest for another. */
export function requireSession(record: EventLog, id: string | undefined): string {
  if (id === undefined) throw new UsageError('The id of the session is missing. "bridle sessions list" shows them.');
  if (record.events({ sessionId: id, limit: 1 }).length > 0) return id;
  const known = record.sessions().map(({ sessionId }) => sessionId);
  throw new ConfigError(`No session "${id}" is on record in this project.${suggestion(id, known)}`);
}

/** Whether a session is a trial of a test case, which nobody held a conversation in. */
export function isOfTest({ labels }: Pick<SessionSummary, "labels">): boolean {
  return ["test", "case", "trial"].every((name) => labels?.[name] !== undefined);
}

/** The session whose newest event is newest; those of tests do not count. Throws ConfigError where there is none. */
export function newestSession(record: EventLog): string {
  const newest = record.sessions().find((session) => !isOfTest(session));
  if (newest) return newest.sessionId;
  throw new ConfigError(
    'No session is on record in this project, so there is none to go on with. "bridle run --session ID" begins one.',
  );
}
