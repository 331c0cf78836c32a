import { setImmediate } from "node:timers/promises";
import { type EventLog, type RunEvent, StoreCorruptError } from "@bridle/protocol";
import type { EventTarget } from "./event-log.ts";

type Readable = Pick<EventLog, "read">;

/** The number of events in memory at a time. */
const pageLength = 100;

/**
 * Yields events in order and reads no more than the caller asks for. Throws at a damaged part. Between two pages, output is flushed and
 * interrupts are handled.
 */
export async function* streamEvents(eventLog: Readable, target: EventTarget): AsyncGenerator<RunEvent> {
  for (let from = target.from ?? 1; ; ) {
    const page = await eventLog.read({ ...target, from, limit: pageLength });
    yield* page;
    if (page.length < pageLength) return;
    await setImmediate();
    from = (page.at(-1)?.seq ?? from) + 1;
  }
}

/** Why events are missing, and the numbers of the events before and after the gap. */
export interface EventGap {
  readonly why: string;
  readonly after: number;
  readonly before: number;
}

/**
 * Yields all events that can be read, in pages. If parts of the log are damaged, it yields the events before the first such part and after
 * the last, and calls `onGap` in between.
 */
export async function* readUndamagedPages(
  eventLog: Readable,
  target: EventTarget,
  onGap: (gap: EventGap) => void,
): AsyncGenerator<readonly RunEvent[]> {
  let after = 0;
  let why: string | undefined;
  for (let limit = pageLength; limit >= 1; ) {
    const page = await tryRead(() => eventLog.read({ ...target, from: after + 1, limit }));
    if (page instanceof StoreCorruptError) {
      why ??= page.message;
      limit = Math.floor(limit / 2);
      continue;
    }
    yield page;
    after = page.at(-1)?.seq ?? after;
    if (page.length < limit) break;
  }
  if (why === undefined) return;
  const tail = await findTail(eventLog, target, after);
  onGap({ why, after, before: tail ?? after + 1 });
  if (tail !== undefined) yield* readPages(eventLog, target, tail);
}

async function* readPages(eventLog: Readable, target: EventTarget, first: number) {
  for (let from = first; ; ) {
    const page = await eventLog.read({ ...target, from, limit: pageLength });
    yield page;
    if (page.length < pageLength) return;
    from = (page.at(-1)?.seq ?? from) + 1;
  }
}

/** Finds the first event after the last damaged part. Searches from the end, in pages. */
async function findTail(eventLog: Readable, target: EventTarget, after: number): Promise<number | undefined> {
  const newest = await tryRead(() => eventLog.read({ ...target, last: 1 }));
  if (newest instanceof StoreCorruptError || newest.length === 0) return undefined;
  let first = newest[0]?.seq ?? 0;
  for (let step = pageLength; step >= 1 && first > after + 1; ) {
    const from = Math.max(after + 1, first - step);
    const page = await tryRead(() => eventLog.read({ ...target, from, limit: first - from }));
    if (page instanceof StoreCorruptError) step = Math.floor(step / 2);
    else first = from;
  }
  return first > after ? first : undefined;
}

/** Returns the result, or the error if a part is damaged. */
async function tryRead<T>(read: () => Promise<T>): Promise<T | StoreCorruptError> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof StoreCorruptError) return error;
    throw error;
  }
}
