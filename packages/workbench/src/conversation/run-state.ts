import type { SessionTranscript } from "@bridle/client";
import { showHiddenInDocument } from "@bridle/protocol/text";

/** Whether an answer was begun and will not be completed: its run was stopped, or failed. */
export function isUnfinished(transcript: SessionTranscript, entry: SessionTranscript["entries"][number]): boolean {
  if (entry.kind !== "text" || entry.complete) return false;
  return !(isRunning(transcript) && transcript.answering && entry.runId === transcript.runId);
}

type State = Pick<SessionTranscript, "runId" | "result"> | undefined;

/** Whether the newest run of a session has not ended. */
export function isRunning(transcript: State): boolean {
  return transcript?.runId !== undefined && transcript.result === undefined;
}

/** How the newest run ended, if a person should know: an answer that is complete says enough. */
export function describeEnd(transcript: State): string | undefined {
  const result = transcript?.result;
  switch (result?.stopReason) {
    case "stopped":
      return "Stopped.";
    case "budget":
      return "The run ended because its budget was used up. Send a message to go on.";
    case "error":
      return `The run failed: ${showHiddenInDocument(result.error?.message ?? "no reason is on record")}`;
    default:
      return undefined;
  }
}
