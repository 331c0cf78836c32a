/** The usage windows of accounts that events of the newest runs mention. */
import type { EventLog } from "@bridle/protocol";
import { z } from "zod";
import { readRunStart } from "../events/run-start.ts";

export const knownWindowsSchema = z.array(
  z.strictObject({
    backend: z.string(),
    window: z.string(),
    /** When the window resets; `null` if the host did not report it. */
    resetsAt: z.iso.datetime().nullable(),
    /** The used part, from 0 to 1; `null` if the host did not report it. */
    utilization: z.number().nullable(),
    isUsedUp: z.boolean(),
    /** When the host reported it. */
    at: z.iso.datetime(),
  }),
);
export type UsageWindows = z.output<typeof knownWindowsSchema>;

const newestRuns = 20;
/** The number of events to search in each session, from its end. */
const searchedEvents = 200;

/**
 * Reads the usage windows that are nearly or fully used up, according to the newest event about each. Windows that have reset are
 * left out.
 */
export async function readKnownWindows(
  eventLog: Pick<EventLog, "runs" | "read">,
  now: number = Date.now(),
): Promise<UsageWindows> {
  const windows = new Map<string, UsageWindows[number]>();
  const cleared = new Set<string>();
  for (const { runId } of await eventLog.runs({ last: newestRuns })) {
    const events = await eventLog.read({ runId, last: searchedEvents, withoutDeltas: true });
    const started = events.find((event) => event.type === "run.started") ?? (await readRunStart(eventLog, { runId }));
    const backend = started?.backend ?? "unknown";
    for (const event of events.toReversed()) {
      if (event.type !== "limit.warned" && event.type !== "limit.reached" && event.type !== "limit.cleared") continue;
      const key = `${backend} ${event.window}`;
      if (windows.has(key) || cleared.has(key)) continue;
      if (event.type === "limit.cleared" || (event.resetsAt !== undefined && event.resetsAt <= now)) {
        cleared.add(key);
        continue;
      }
      windows.set(key, {
        backend,
        window: event.window,
        isUsedUp: event.type === "limit.reached",
        resetsAt: event.resetsAt === undefined ? null : new Date(event.resetsAt).toISOString(),
        utilization: event.type === "limit.warned" ? (event.utilization ?? null) : null,
        at: new Date(event.time).toISOString(),
      });
    }
  }
  return [...windows.values()];
}
