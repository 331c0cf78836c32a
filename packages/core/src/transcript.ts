import type { RunEvent, RunResult } from "./events.ts";
import type { PromptMessage } from "./prompt.ts";

/** What was said and done, in order, derived from events and from nothing else. */
export interface Transcript {
  runId?: string;
  entries: readonly TranscriptEntry[];
  result?: RunResult;
}

export type TranscriptEntry =
  | { kind: "user"; message: PromptMessage }
  | { kind: "text"; text: string; complete: boolean }
  | { kind: "reasoning"; text: string; complete: boolean }
  | ToolEntry;

export interface ToolEntry {
  kind: "tool";
  callId: string;
  tool: string;
  input: unknown;
  state: "requested" | "running" | "denied" | "succeeded" | "failed";
  /** What the model was told, once it was. */
  output?: string;
  progress: readonly string[];
  durationMs?: number;
}

export const emptyTranscript: Transcript = { entries: [] };

/** Folds one event into a transcript. Pure: live views, replays and rebuilt histories all use it. */
export function reduceTranscript(transcript: Transcript, event: RunEvent): Transcript {
  const { entries } = transcript;
  switch (event.type) {
    case "run.started":
      return { ...transcript, runId: event.runId };
    case "run.finished":
      return { ...transcript, result: event.result };
    case "model.input":
      return { ...transcript, entries: [...entries, ...event.messages.map(userEntry)] };
    case "text.delta":
      return { ...transcript, entries: extend(entries, "text", event.text) };
    case "text.completed":
      return { ...transcript, entries: complete(entries, "text", event.text) };
    case "reasoning.delta":
      return { ...transcript, entries: extend(entries, "reasoning", event.text) };
    case "reasoning.completed":
      return { ...transcript, entries: complete(entries, "reasoning", event.text) };
    case "tool.requested": {
      const { callId, tool, input } = event;
      return {
        ...transcript,
        entries: [...entries, { kind: "tool", callId, tool, input, state: "requested", progress: [] }],
      };
    }
    case "tool.started":
      return updateTool(transcript, event.callId, () => ({ state: "running" }));
    case "tool.progress":
      return updateTool(transcript, event.callId, ({ progress }) => ({ progress: [...progress, event.message] }));
    case "tool.denied":
      return updateTool(transcript, event.callId, () => ({ state: "denied", output: event.output }));
    case "tool.finished": {
      const { output, durationMs, ok } = event;
      return updateTool(transcript, event.callId, () => ({ state: ok ? "succeeded" : "failed", output, durationMs }));
    }
    default:
      return transcript;
  }
}

export function transcriptOf(events: Iterable<RunEvent>): Transcript {
  let transcript = emptyTranscript;
  for (const event of events) transcript = reduceTranscript(transcript, event);
  return transcript;
}

type Spoken = "text" | "reasoning";

function userEntry(message: PromptMessage): TranscriptEntry {
  return { kind: "user", message };
}

function extend(entries: readonly TranscriptEntry[], kind: Spoken, text: string): TranscriptEntry[] {
  const last = entries.at(-1);
  if (last?.kind !== kind || last.complete) return [...entries, { kind, text, complete: false }];
  return [...entries.slice(0, -1), { kind, text: last.text + text, complete: false }];
}

/** The final text is authoritative: it replaces what the deltas had put together. */
function complete(entries: readonly TranscriptEntry[], kind: Spoken, text: string): readonly TranscriptEntry[] {
  const open = entries.findLastIndex((entry) => entry.kind === kind && !entry.complete);
  const turn = entries.findLastIndex((entry) => entry.kind === "user" || entry.kind === "tool");
  const whole = { kind, text, complete: true };
  return open <= turn ? [...entries, whole] : entries.with(open, whole);
}

function updateTool(
  transcript: Transcript,
  callId: string,
  change: (entry: ToolEntry) => Partial<ToolEntry>,
): Transcript {
  const entries = transcript.entries.map((entry) =>
    entry.kind === "tool" && entry.callId === callId ? { ...entry, ...change(entry) } : entry,
  );
  return { ...transcript, entries };
}
