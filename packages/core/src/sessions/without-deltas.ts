import { type EventLog, isDelta, type RunEvent } from "@bridle/protocol";

/** Events in memory at a time. */
const pageLength = 1000;

/**
 * Yields the events of a session from a `seq` on, with deltas only if no completed text follows them, because a response
 * broke off. They give the same transcript as all events, but a session with a million deltas is read much faster.
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

/** The events of `withoutDeltas` as a list. */
export async function readWithoutDeltas(
  eventLog: Pick<EventLog, "read">,
  sessionId: string,
): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of withoutDeltas(eventLog, sessionId)) events.push(event);
  return events;
}

/** The same for events that are in memory: leaves out the deltas that a completed text replaces. */
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
