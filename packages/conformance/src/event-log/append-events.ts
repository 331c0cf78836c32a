import type { ArtifactContent, EventDraft, EventLog, EventWriter, RunEvent, RunScope } from "@bridle/protocol";

/** Opens the stream of a run, appends events to it, and closes it again. Resolves when the events are durable. */
export async function appendEvents(
  eventLog: Pick<EventLog, "openWriter">,
  { runId, sessionId }: RunScope,
  ...drafts: readonly EventDraft[]
): Promise<RunEvent[]> {
  const writer = await eventLog.openWriter(sessionId === undefined ? { runId } : { sessionId });
  try {
    const events = drafts.map((draft) => writer.append(runId, draft));
    await writer.durable();
    return events;
  } finally {
    await writer.close();
  }
}

/** Stores a run's artifacts in an event log. Resolves with their ids. */
export async function storeArtifacts(
  eventLog: Pick<EventLog, "openWriter">,
  { runId, sessionId }: RunScope,
  ...contents: readonly ArtifactContent[]
): Promise<string[]> {
  const writer = await eventLog.openWriter(sessionId === undefined ? { runId } : { sessionId });
  try {
    return contents.map((content) => writer.putArtifact(content));
  } finally {
    await writer.close();
  }
}

/** Returns an event log that uses another `append` function for its writers. */
export function interceptAppends<L extends EventLog>(
  eventLog: L,
  replace: (append: EventWriter["append"]) => EventWriter["append"],
): L {
  return {
    ...eventLog,
    async openWriter(stream) {
      const writer = await eventLog.openWriter(stream);
      return { ...writer, append: replace(writer.append) };
    },
  };
}
