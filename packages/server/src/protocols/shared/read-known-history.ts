import type { EventLog, HistoryMessage, RunEvent } from "@bridle/protocol";
import { TranscriptBuilder, transcriptToHistory } from "@bridle/protocol";
import { readPages } from "../../api/read-run.ts";

/** Reads the model's history after the events that `isKnown` accepts. Events are read in pages. */
export async function readKnownHistory(
  eventLog: Pick<EventLog, "read">,
  sessionId: string,
  isKnown: (event: RunEvent) => boolean,
): Promise<readonly HistoryMessage[]> {
  const builder = new TranscriptBuilder();
  for await (const page of readPages(eventLog, { sessionId }))
    for (const event of page) if (isKnown(event)) builder.add(event);
  return transcriptToHistory(builder.transcript());
}
