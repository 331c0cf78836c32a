import { type EventLog, StoreError } from "@bridle/protocol";
import { z } from "zod";
import { requireSession } from "./find-session.ts";

const count = z.int().nonnegative();

/** The numbers of runs, events and artifacts that were removed with a session. */
export const removedSessionSchema = z.strictObject({ id: z.string(), runs: count, events: count, artifacts: count });
export type RemovedSession = z.output<typeof removedSessionSchema>;

/**
 * Removes sessions with their events, and the artifacts that no other session uses. Checks all ids first: throws UsageError,
 * ConfigError, or StoreError if a run is in progress in one of them, and then removes nothing.
 */
export function* removeSessions(
  eventLog: EventLog,
  ids: readonly (string | undefined)[],
): Generator<RemovedSession, void> {
  const known = new Set(ids.map((id) => requireSession(eventLog, id)));
  for (const id of known) refuseInProgress(eventLog, id);
  for (const id of known) yield removeSession(eventLog, id);
}

function refuseInProgress(eventLog: EventLog, id: string): void {
  const [newest] = eventLog.runs({ sessionId: id, last: 1 });
  if (newest === undefined || newest.ended) return;
  throw new StoreError(
    `The session ${id} has a run in progress. Wait until it has ended, or interrupt it; nothing was removed.`,
    id,
    { code: "store_busy" },
  );
}

function removeSession(eventLog: EventLog, id: string): RemovedSession {
  const events = eventLog.events({ sessionId: id });
  const used = events.flatMap((event) => ("artifact" in event && event.artifact !== undefined ? [event.artifact] : []));
  const artifacts = [...new Set(used)].filter((artifact) => eventLog.artifact(artifact) !== undefined);
  const runs = eventLog.runs({ sessionId: id }).length;
  eventLog.removeSession(id);
  const removed = artifacts.filter((artifact) => eventLog.artifact(artifact) === undefined).length;
  return { id, runs, events: events.length, artifacts: removed };
}
