import { setImmediate } from "node:timers/promises";
import type { EventLog, RunEvent } from "@bridle/protocol";

/** Events in memory of one run, however long it is. */
const pageLength = 500;

/** Yields the events of a run up to a number, without the pieces of its texts, in pages. Other requests get their turn between them. */
export async function* readRun(
  eventLog: Pick<EventLog, "read">,
  runId: string,
  { until = Number.POSITIVE_INFINITY }: { readonly until?: number } = {},
): AsyncGenerator<readonly RunEvent[]> {
  for (let from = 1; ; ) {
    const page = await eventLog.read({ runId, from, limit: pageLength, withoutDeltas: true });
    const last = page.at(-1);
    const wanted = (last?.seq ?? 0) > until ? page.filter(({ seq }) => seq <= until) : page;
    if (wanted.length > 0) yield wanted;
    if (last === undefined || page.length < pageLength || last.seq >= until) return;
    from = last.seq + 1;
    await setImmediate();
  }
}
