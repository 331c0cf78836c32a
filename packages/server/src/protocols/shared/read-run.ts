import { setImmediate } from "node:timers/promises";
import type { EventLog, RunEvent } from "@bridle/protocol";

/** Events in memory of one run, however long it is. */
const pageLength = 500;

/** Yields the events of a run without the pieces of its texts, in pages. Other requests get their turn between them. */
export async function* readRun(
  eventLog: Pick<EventLog, "read">,
  runId: string,
  after = 0,
): AsyncGenerator<readonly RunEvent[]> {
  for (let from = after + 1; ; ) {
    const page = await eventLog.read({ runId, from, limit: pageLength, withoutDeltas: true });
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageLength) return;
    from = last.seq + 1;
    await setImmediate();
  }
}
