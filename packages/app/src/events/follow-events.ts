import type { RunEvent } from "@bridle/protocol";
import type { EventTarget, ProjectEventLog } from "./event-log.ts";

/**
 * Yields the new events of a run until the run ends, even if its process dies, or the new events of a session until the signal is aborted.
 * `newest` is the last event that you have read.
 */
export async function* followEvents(
  eventLog: Pick<ProjectEventLog, "follow">,
  target: EventTarget,
  newest: RunEvent | undefined,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  if ("runId" in target && newest?.type === "run.finished") return;
  yield* eventLog.follow({ ...target, from: (newest?.seq ?? 0) + 1 }, signal);
}
