import { newRunId } from "@bridle/core";
import type { Compaction, EventLog } from "@bridle/protocol";
import type { RunnerInUse } from "./agent-runners.ts";

/**
 * Replaces the history of a session by a shorter one in the event log, so that every process continues with it. False if it cannot be
 * shorter. Throws StoreBusyError while another process has the session.
 */
export async function compactSession(
  sessionId: string,
  strategy: Exclude<Compaction, "none">,
  inUse: RunnerInUse,
  eventLog: Pick<EventLog, "openWriter">,
): Promise<boolean> {
  const writer = await eventLog.openWriter({ sessionId }); // nothing is added while the history is read and shortened
  try {
    const session = await inUse.openSession(sessionId);
    if (!(await session.compact(strategy))) return false;
    // an event is always of a run; this one's has nothing else
    writer.append(newRunId(), { type: "history.replaced", reason: "compacted", strategy, messages: session.history() });
    await writer.durable();
    return true;
  } finally {
    await writer.close();
  }
}
