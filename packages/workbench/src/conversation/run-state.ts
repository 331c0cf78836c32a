import type { ApiRun } from "@bridle/client";
import type { ErrorReport } from "@bridle/protocol";
import { showHiddenInDocument } from "@bridle/protocol/text";
import type { ShownTranscript } from "../connection/session-entries.ts";

/** Whether an answer was started but will not be completed, because its run was stopped or failed. */
export function isUnfinished(transcript: ShownTranscript, entry: ShownTranscript["entries"][number]): boolean {
  if (entry.kind !== "text" || entry.complete) return false;
  return !(isRunning(transcript) && transcript.answering && entry.runId === transcript.runId);
}

/** Whether a call will never end, because its run has ended. A call that waits for an answer can still get the answer. */
export function isAbandoned(transcript: ShownTranscript, entry: ShownTranscript["entries"][number]): boolean {
  if (entry.kind !== "tool" || !["requested", "running"].includes(entry.state)) return false;
  return !isRunning(transcript) || entry.runId !== transcript.runId;
}

type EndOfRun = Pick<ApiRun, "stopReason" | "error"> & Partial<Pick<ApiRun, "result">>;

/** Explains why the answer of a run was cut off. */
export function describeCut({ stopReason, error, result }: EndOfRun): string {
  switch (stopReason) {
    case "stopped":
      return "its run was stopped";
    case "error":
      if (result?.error?.code === "process_died") return "its run was interrupted, because its process ended";
      return `its run failed${error === null ? "" : `, ${showHiddenInDocument(error)}`}`;
    case "budget":
      return "the budget of its run was used up";
    case "natural":
      return "its run went on without it";
    default:
      return "its run broke off without an end";
  }
}

type State = Pick<ShownTranscript, "runId" | "result"> | undefined;

/** Whether the newest run of a session has not ended. */
export function isRunning(transcript: State): boolean {
  return transcript?.runId !== undefined && transcript.result === undefined;
}

/** Describes a run whose process died as interrupted, because nothing in the run failed. */
function describeFailure(error: ErrorReport | undefined): string {
  const reason = showHiddenInDocument(error?.message ?? "no reason is on record");
  return error?.code === "process_died" ? `The run was interrupted. ${reason}` : `The run failed: ${reason}`;
}

/** Describes how the newest run ended. Returns `undefined` if the answer is complete, because then the end is obvious. */
export function describeEnd(transcript: State): string | undefined {
  const result = transcript?.result;
  switch (result?.stopReason) {
    case "stopped":
      return "Stopped.";
    case "budget":
      return "The run ended because its budget was used up. Send a message to go on.";
    case "error":
      return describeFailure(result.error);
    default:
      return undefined;
  }
}
