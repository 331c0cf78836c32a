import type { EventLog, RunEvent } from "@bridle/protocol";

/**
 * The events of a session from a `seq` on, with deltas only if no completed text follows them, because a response broke off.
 * They give the same transcript as all events, but a session with a million deltas is read much faster.
 */
export function withoutDeltas(record: Pick<EventLog, "events">, sessionId: string, from = 1): readonly RunEvent[] {
  const newest = record.events({ sessionId, last: 1 }).at(-1)?.seq ?? 0;
  let next = from;
  const told = record.events({ sessionId, from, withoutDeltas: true }).flatMap((event) => {
    const isWhole = event.type === "text.completed" || event.type === "reasoning.completed";
    const pieces = isWhole ? [] : between(next, event.seq);
    next = event.seq + 1;
    return [...pieces, event];
  });
  return [...told, ...between(next, newest + 1)];

  function between(first: number, end: number): readonly RunEvent[] {
    return first < end ? record.events({ sessionId, from: first, limit: end - first }) : [];
  }
}
