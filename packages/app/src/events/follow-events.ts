import { setTimeout as sleep } from "node:timers/promises";
import type { RunEvent } from "@bridle/protocol";
import type { EventTarget, ProjectEventLog } from "./event-log.ts";

/** Milliseconds between two reads of the event log. */
const pollMs = 100;

/**
 * Yields the new events of a run until the run ends, even if its process dies. The new events of a session are yielded until
 * the signal is aborted. `newest` is the last event that you have read.
 */
export async function* followEvents(
  eventLog: ProjectEventLog,
  target: EventTarget,
  newest: RunEvent | undefined,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  let seen = newest;
  while (!("runId" in target && seen?.type === "run.finished") && !signal.aborted) {
    await sleep(pollMs);
    eventLog.endInterrupted();
    for (const event of eventLog.events({ ...target, from: (seen?.seq ?? 0) + 1 })) {
      yield event;
      seen = event;
    }
  }
}
