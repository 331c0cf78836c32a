import { setTimeout } from "node:timers/promises";
import { newRunId } from "@bridle/core";
import { type Compaction, type EventLog, type EventWriter, StoreBusyError } from "@bridle/protocol";
import type { RunnerInUse } from "./agent-runners.ts";

/** How often to try, because a run still occupies its session for a moment after it has logged its end. */
const tries = 50;
const tryEveryMs = 20;

/**
 * Replaces the history of a session with a shorter one in the event log, so that every process continues with the shorter one. False if the
 * history cannot be shortened. Throws StoreBusyError while another process uses the session.
 */
export async function compactSession(
  sessionId: string,
  strategy: Exclude<Compaction, "none">,
  inUse: RunnerInUse,
  eventLog: Pick<EventLog, "openWriter" | "read">,
): Promise<boolean> {
  const writer = await openFreeWriter(sessionId, eventLog); // nothing is added while the history is read and shortened
  try {
    const session = await inUse.openSession(sessionId);
    if (!(await session.compact(strategy))) return false;
    // every event needs a run; this run contains only this event
    writer.append(newRunId(), { type: "history.replaced", reason: "compacted", strategy, messages: session.history() });
    await writer.durable();
    return true;
  } finally {
    await writer.close();
  }
}

async function openFreeWriter(
  sessionId: string,
  eventLog: Pick<EventLog, "openWriter" | "read">,
): Promise<EventWriter> {
  for (let left = tries; ; left -= 1) {
    try {
      return await eventLog.openWriter({ sessionId });
    } catch (error) {
      const [newest] = await eventLog.read({ sessionId, last: 1 });
      if (!(error instanceof StoreBusyError) || newest?.type !== "run.finished" || left === 0) throw error;
    }
    await setTimeout(tryEveryMs);
  }
}
