import { type EventLog, StoreError } from "@bridle/protocol";
import { z } from "zod";
import { requireSession } from "../events/find-session.ts";

const count = z.int().nonnegative();

/** How many runs, events and artifacts were removed with a session. */
export const removedSessionSchema = z.strictObject({ id: z.string(), runs: count, events: count, artifacts: count });
export type RemovedSession = z.output<typeof removedSessionSchema>;

/**
 * Removes sessions with their events, and the artifacts that no other session uses. Checks all ids first. Throws UsageError, ConfigError,
 * or StoreError if a run is in progress in one of the sessions; nothing is removed then.
 */
export async function* removeSessions(
  eventLog: EventLog,
  ids: readonly (string | undefined)[],
): AsyncGenerator<RemovedSession, void> {
  const known = new Set<string>();
  for (const id of ids) known.add(await requireSession(eventLog, id));
  for (const id of known) await refuseInProgress(eventLog, id);
  for (const id of known) yield await removeSession(eventLog, id);
}

async function refuseInProgress(eventLog: EventLog, id: string): Promise<void> {
  const [newest] = await eventLog.runs({ sessionId: id, last: 1 });
  if (newest === undefined || newest.ended) return;
  throw new StoreError(
    `The session ${id} has a run in progress. Wait until it has ended, or interrupt it; nothing was removed.`,
    id,
    { code: "store_busy" },
  );
}

async function removeSession(eventLog: EventLog, id: string): Promise<RemovedSession> {
  const events = await eventLog.read({ sessionId: id });
  const used = events.flatMap((event) => ("artifact" in event && event.artifact !== undefined ? [event.artifact] : []));
  const before = await countArtifacts(eventLog, new Set(used));
  const runs = (await eventLog.runs({ sessionId: id })).length;
  await eventLog.removeSession(id);
  const after = await countArtifacts(eventLog, new Set(used));
  return { id, runs, events: events.length, artifacts: before - after };
}

async function countArtifacts(eventLog: EventLog, ids: ReadonlySet<string>): Promise<number> {
  let found = 0;
  for (const id of ids) if ((await eventLog.artifact(id)) !== undefined) found += 1;
  return found;
}
