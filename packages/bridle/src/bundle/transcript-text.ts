import { type RunEvent, type ToolEntry, type TranscriptEntry, transcriptOf } from "@bridle/core";
import { promptText } from "../record/prompt-text.ts";

/** What was said and done, run by run, as Markdown for people. */
export function transcriptText(events: readonly RunEvent[]): string {
  const byRun = Map.groupBy(events, ({ runId }) => runId);
  return [...byRun].map(([runId, own]) => runText(runId, own)).join("\n");
}

function runText(runId: string, events: readonly RunEvent[]): string {
  const { entries, result } = transcriptOf(events);
  const started = new Date(events[0]?.time ?? 0).toISOString();
  const end = result
    ? `Ended: ${result.stopReason}${result.error ? `, ${result.error.message}` : ""}`
    : "No end is on record.";
  return `# ${runId}\n\nStarted: ${started}\n\n${entries.map(entryText).join("\n\n")}\n\n${end}\n`;
}

function entryText(entry: TranscriptEntry): string {
  if (entry.kind === "tool") return toolText(entry);
  if (entry.kind === "history") return `## History ${entry.reason}: ${entry.messages.length} messages`;
  if (entry.kind === "user") return `## User\n\n${promptText(entry.message)}`;
  return `## ${entry.kind === "text" ? "Model" : "Model, thinking"}${entry.complete ? "" : " (cut off)"}\n\n${entry.text}`;
}

function toolText({ tool, callId, state, input, output, durationMs }: ToolEntry): string {
  const took = durationMs === undefined ? "" : `, ${durationMs} ms`;
  const told = output === undefined ? "" : `\n\n${fenced(output)}`;
  return `## Tool ${tool} (${callId}): ${state}${took}\n\n${fenced(JSON.stringify(input, undefined, 2) ?? "")}${told}`;
}

/** A fence that is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
