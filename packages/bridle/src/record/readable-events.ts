import { setImmediate } from "node:timers/promises";
import { type EventLog, type EventQuery, type RunEvent, StoreCorruptError } from "@bridle/protocol";

type Target = Extract<EventQuery, object>;
type Record = Pick<EventLog, "events">;

/** So many events are in memory at a time. */
const pageLength = 100;

/**
 * Events one after another, of which no more is read than is asked for; up to a damaged part, which throws. Between pages
 * what was printed goes out, and an interruption is heard.
 */
export async function* eachEvent(record: Record, target: Target): AsyncGenerator<RunEvent> {
  for (let from = target.from ?? 1; ; ) {
    const page = record.events({ ...target, from, limit: pageLength });
    yield* page;
    if (page.length < pageLength) return;
    await setImmediate();
    from = (page.at(-1)?.seq ?? from) + 1;
  }
}

export interface ReadableEvents {
  readonly events: readonly RunEvent[];
  /** Why some are missing, and between which two of those that are there. */
  readonly damage?: { readonly why: string; readonly after: number; readonly before: number };
}

/** All that can be read: where a part of the record is damaged, what stands before it, and what stands behind the last such part. */
export function readableEvents(record: Record, target: Target): ReadableEvents {
  try {
    return { events: record.events(target) };
  } catch (error) {
    if (!(error instanceof StoreCorruptError)) throw error;
    const head = eventsBefore(record, target);
    const after = head.at(-1)?.seq ?? 0;
    const tail = eventsBehind(record, target).filter(({ seq }) => seq > after);
    return { events: [...head, ...tail], damage: { why: error.message, after, before: tail[0]?.seq ?? after + 1 } };
  }
}

function eventsBefore(record: Record, target: Target): RunEvent[] {
  const found: RunEvent[] = [];
  for (let limit = pageLength; limit >= 1; ) {
    const page = readable(() => record.events({ ...target, from: (found.at(-1)?.seq ?? 0) + 1, limit }));
    if (page === undefined) limit = Math.floor(limit / 2);
    else if (page.length === 0) break;
    else found.push(...page);
  }
  return found;
}

/** The longest end that can be read. */
function eventsBehind(record: Record, target: Target): readonly RunEvent[] {
  let found: readonly RunEvent[] = [];
  let step = 1;
  for (let isGrowing = true; step >= 1; step = isGrowing ? step * 2 : Math.floor(step / 2)) {
    const last = found.length + step;
    const more = readable(() => record.events({ ...target, last }));
    if (more === undefined) isGrowing = false;
    else found = more;
    if (more !== undefined && more.length < last) break;
  }
  return found;
}

/** Undefined where a part of it is damaged. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof StoreCorruptError) return undefined;
    throw error;
  }
}
