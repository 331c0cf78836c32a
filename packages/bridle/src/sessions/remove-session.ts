import { counted, type EventLog, StoreError } from "@bridle/protocol";

/** Throws StoreError for a session in which a run is in progress. */
export function refuseInProgress(record: EventLog, id: string): void {
  const [newest] = record.runs({ sessionId: id, last: 1 });
  if (newest === undefined || newest.ended) return;
  throw new StoreError(
    `The session ${id} has a run in progress. Wait until it has ended, or interrupt it; nothing was removed.`,
    id,
    { code: "store_busy" },
  );
}

/** Takes a session off the record, with the artifacts that nobody else uses, and says what that was. */
export function removeSession(record: EventLog, id: string): string {
  const events = record.events({ sessionId: id });
  const used = events.flatMap((event) => ("artifact" in event && event.artifact !== undefined ? [event.artifact] : []));
  const artifacts = [...new Set(used)].filter((artifact) => record.artifact(artifact) !== undefined);
  const runs = record.runs({ sessionId: id }).length;
  record.removeSession(id);
  const gone = artifacts.filter((artifact) => record.artifact(artifact) === undefined).length;
  return `${id}: ${counted(runs, "run")}, ${counted(events.length, "event")}, ${counted(gone, "artifact")}`;
}
