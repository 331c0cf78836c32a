import { setImmediate } from "node:timers/promises";
import type { EventLog, RunEvent } from "@bridle/protocol";

/** The maximum number of events in memory at a time. */
const pageLength = 500;

export interface ReadRange {
  readonly from?: number;
  readonly until?: number;
  /** Whether to include text deltas. Default: false. */
  readonly withDeltas?: boolean;
}

/** Yields the events of a run in pages, without text deltas. Other requests can run between pages. */
export function readRun(
  eventLog: Pick<EventLog, "read">,
  runId: string,
  range: ReadRange = {},
): AsyncGenerator<readonly RunEvent[]> {
  return readPages(eventLog, { runId }, range);
}

/** Yields the events of a session or a run in pages. */
export async function* readPages(
  eventLog: Pick<EventLog, "read">,
  place: { readonly runId: string } | { readonly sessionId: string },
  { from: first = 1, until = Number.POSITIVE_INFINITY, withDeltas = false }: ReadRange = {},
): AsyncGenerator<readonly RunEvent[]> {
  for (let from = first; ; ) {
    const page = await eventLog.read({ ...place, from, limit: pageLength, withoutDeltas: !withDeltas });
    const last = page.at(-1);
    const wanted = (last?.seq ?? 0) > until ? page.filter(({ seq }) => seq <= until) : page;
    if (wanted.length > 0) yield wanted;
    if (last === undefined || page.length < pageLength || last.seq >= until) return;
    from = last.seq + 1;
    await setImmediate();
  }
}
