import type { BridleClient } from "@bridle/client";
import type { RunEvent } from "@bridle/protocol";

/** The number of events to read at once. */
const pageLength = 200;

/** Which events to read: from one event to another or to the newest, or backwards from an event to the first. */
export type EventRange = { readonly from: number; readonly to?: number | undefined } | { readonly before: number };

/** Reads events of a session in pages, as long as the caller asks for more. The events of a page are in order. */
export async function* readEventPages(
  client: Pick<BridleClient, "events">,
  session: string,
  range: EventRange,
): AsyncGenerator<readonly RunEvent[]> {
  if ("before" in range) {
    for (let end = range.before - 1; end > 0; end -= pageLength) {
      const after = Math.max(0, end - pageLength);
      yield (await client.events(session, { after, limit: end - after })).events;
    }
    return;
  }
  const { from, to = Number.MAX_SAFE_INTEGER } = range;
  for (let after = from - 1, end = to; after < end; after += pageLength) {
    const { events, lastSeq } = await client.events(session, { after, limit: Math.min(pageLength, end - after) });
    yield events;
    end = Math.min(end, lastSeq);
  }
}
