import type { BridleClient } from "@bridle/client";
import type { RunEvent } from "@bridle/protocol";
import type { SessionEntry } from "../../connection/session-entries.ts";

/** Events after the first one of a call among which its others are looked for. */
const pageLength = 200;

/** The events of an entry, in order: of a call those from its request to its reply, of all else the one that says it. */
export async function readEntryEvents(
  client: BridleClient,
  session: string,
  entry: SessionEntry,
): Promise<readonly RunEvent[]> {
  const { seq } = entry;
  const endSeq = entry.kind === "tool" ? entry.endSeq : undefined;
  const limit = entry.kind === "tool" ? pageLength : 1;
  const { events } = await client.events(session, { after: seq - 1, limit });
  if (entry.kind !== "tool") return events;
  const own = events.filter(
    (event) => "callId" in event && event.callId === entry.callId && event.seq <= (endSeq ?? event.seq),
  );
  if (endSeq === undefined || own.some((event) => event.seq === endSeq)) return own;
  return [...own, ...(await client.events(session, { after: endSeq - 1, limit: 1 })).events];
}
