import type { EventLog, EventOf } from "@bridle/protocol";
import type { EventTarget } from "./event-log.ts";

/** How many of the first events to search. A run that continues a session can begin with late answers, but rarely with many. */
const searchedEvents = [8, 50];

/**
 * Reads the `run.started` event of a run, or of the first run of a session. Returns `undefined` if the log does not contain it.
 */
export async function readRunStart(
  eventLog: Pick<EventLog, "read">,
  target: EventTarget,
): Promise<EventOf<"run.started"> | undefined> {
  for (const limit of searchedEvents) {
    const first = await eventLog.read({ ...target, limit, withoutDeltas: true });
    const started = first.find((event) => event.type === "run.started");
    if (started !== undefined) return started;
  }
  return undefined;
}
