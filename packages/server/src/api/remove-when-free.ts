import { setTimeout } from "node:timers/promises";
import type { Workspace } from "@bridle/app/serving";
import { type RemovedSession, removeSessions } from "@bridle/app/sessions";
import { isBridleError } from "@bridle/protocol";

/** How long to wait until a run that has logged its end releases its session, in milliseconds. */
const maxWaitMs = 2000;
const pauseMs = 25;

/**
 * Removes a session with a run that has just ended. Throws a BridleError if another run is in progress, or if the session does not
 * exist.
 */
export async function removeWhenFree(id: string, { eventLog }: Pick<Workspace, "eventLog">): Promise<RemovedSession> {
  for (let left = maxWaitMs / pauseMs; ; left -= 1) {
    try {
      for await (const removed of removeSessions(eventLog, [id])) return removed;
      return { id, runs: 0, events: 0, artifacts: 0 };
    } catch (error) {
      if (!isBridleError(error) || error.code !== "store_busy" || left <= 0) throw error;
    }
    await setTimeout(pauseMs);
  }
}
