import { setImmediate } from "node:timers/promises";
import { type EventLog, type RunEvent, StoreCorruptError } from "@bridle/protocol";
import type { EventTarget } from "./event-log.ts";

type Readable = Pick<EventLog, "events">;

/** Events in memory at a time. */
const pageLength = 100;

/**
 * Yields events in order and reads no more than you ask for. Throws at a damaged part. Between two pages, output is flushed
 * and interrupts are handled.
 */
export async function* streamEvents(eventLog: Readable, target: EventTarget): AsyncGenerator<RunEvent> {
  for (let from = target.from ?? 1; ; ) {
    const page = eventLog.events({ ...target, from, limit: pageLength });
    yield* page;
    if (page.length < pageLength) return;
    await setImmediate();
    from = (page.at(-1)?.seq ?? from) + 1;
  }
}

export interface UndamagedEvents {
  readonly events: readonly RunEvent[];
  /** Why events are missing, and the numbers of the events before and after the gap. */
  readonly damage?: { readonly why: string; readonly after: number; readonly before: number };
}

/** Reads all events that can be read. If parts of the log are damaged: those before the first part and after the last. */
export function readUndamagedEvents(eventLog: Readable, target: EventTarget): UndamagedEvents {
  try {
    return { events: eventLog.events(target) };
  } catch (error) {
    if (!(error instanceof StoreCorruptError)) throw error;
    const head = readHead(eventLog, target);
    const after = head.at(-1)?.seq ?? 0;
    const tail = readTail(eventLog, target).filter(({ seq }) => seq > after);
    return { events: [...head, ...tail], damage: { why: error.message, after, before: tail[0]?.seq ?? after + 1 } };
  }
}

/** The events before the first damaged part. */
function readHead(eventLog: Readable, target: EventTarget): RunEvent[] {
  const found: RunEvent[] = [];
  for (let limit = pageLength; limit >= 1; ) {
    const from = (found.at(-1)?.seq ?? 0) + 1;
    const page = ifUndamaged(() => eventLog.events({ ...target, from, limit }));
    if (page === undefined) limit = Math.floor(limit / 2);
    else if (page.length === 0) break;
    else found.push(...page);
  }
  return found;
}

/** The most events at the end that can be read. */
function readTail(eventLog: Readable, target: EventTarget): readonly RunEvent[] {
  let found: readonly RunEvent[] = [];
  let step = 1;
  for (let isGrowing = true; step >= 1; step = isGrowing ? step * 2 : Math.floor(step / 2)) {
    const last = found.length + step;
    const more = ifUndamaged(() => eventLog.events({ ...target, last }));
    if (more === undefined) isGrowing = false;
    else found = more;
    if (more !== undefined && more.length < last) break;
  }
  return found;
}

/** The result, or `undefined` if a part of it is damaged. */
function ifUndamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof StoreCorruptError) return undefined;
    throw error;
  }
}
