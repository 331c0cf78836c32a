import { type EventLog, isDelta, type RunEvent } from "@bridle/protocol";

/** How many events are read at a time. */
const pageLength = 1000;

/**
 * Yields the events of a session from a `seq` on. Includes deltas only where the response broke off, so that no completed text follows
 * them. The transcript is the same as with all events, but a session with a million deltas is read much faster.
 */
export async function* withoutDeltas(
  eventLog: Pick<EventLog, "read">,
  sessionId: string,
  from = 1,
): AsyncGenerator<RunEvent> {
  const [newest] = await eventLog.read({ sessionId, last: 1 });
  const end = (newest?.seq ?? 0) + 1;
  let next = from;
  while (next < end) {
    const page = await eventLog.read({ sessionId, from: next, withoutDeltas: true, limit: pageLength });
    for (const event of page) {
      if (!isWhole(event) && next < event.seq) yield* await readRange(eventLog, sessionId, next, event.seq);
      yield event;
      next = event.seq + 1;
    }
    if (page.length < pageLength) break;
  }
  if (next < end) yield* await readRange(eventLog, sessionId, next, end);
}

/** Returns the events of `withoutDeltas` as a list. */
export async function readWithoutDeltas(
  eventLog: Pick<EventLog, "read">,
  sessionId: string,
): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of withoutDeltas(eventLog, sessionId)) events.push(event);
  return events;
}

/** Leaves out the deltas that a completed text replaces, for events that are in memory. */
export function leaveOutDeltas(events: readonly RunEvent[]): readonly RunEvent[] {
  const kept: RunEvent[] = [];
  let open: RunEvent[] = [];
  for (const event of events) {
    if (isDelta(event)) {
      open.push(event);
      continue;
    }
    if (!isWhole(event)) kept.push(...open);
    open = [];
    kept.push(event);
  }
  return [...kept, ...open];
}

function isWhole({ type }: RunEvent): boolean {
  return type === "text.completed" || type === "reasoning.completed";
}

async function readRange(
  eventLog: Pick<EventLog, "read">,
  sessionId: string,
  first: number,
  end: number,
): Promise<readonly RunEvent[]> {
  return eventLog.read({ sessionId, from: first, limit: end - first });
}
