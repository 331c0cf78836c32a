import type { BridleClient } from "@bridle/client";
import type { RunEvent } from "@bridle/protocol";
import { readEventPages } from "../../connection/event-pages.ts";
import type { SessionEntry } from "../../connection/session-entries.ts";

/** Reads the events of an entry, in order: for a call, the events from its request to its reply; for other entries, the event itself. */
export async function readEntryEvents(
  client: Pick<BridleClient, "events">,
  session: string,
  entry: SessionEntry,
): Promise<readonly RunEvent[]> {
  const { seq: from, runId } = entry;
  const to = entry.kind === "tool" ? entry.endSeq : from;
  const own: RunEvent[] = [];
  for await (const events of readEventPages(client, session, { from, to })) {
    own.push(...events.filter((event) => entry.kind !== "tool" || isOfCall(event, entry)));
    if (events.some((event) => event.runId !== runId)) break; // the runs of a session do not overlap
  }
  return own;
}

/** Whether an event belongs to the call. Another run of the session may have a call with the same id. */
function isOfCall(event: RunEvent, { runId, callId }: Extract<SessionEntry, { kind: "tool" }>): boolean {
  return event.runId === runId && "callId" in event && event.callId === callId;
}
