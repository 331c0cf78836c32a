import type { EventOf, RunEvent, RunResult } from "../events/events.ts";
import type { HistoryMessage } from "./history-message.ts";
import { answeredTooLate } from "./late-reply.ts";
import type { PromptMessage } from "./prompt.ts";

/** Messages, texts and tool calls in order, derived only from events. */
export interface Transcript {
  /** The id of the newest run. */
  runId?: string;
  entries: readonly TranscriptEntry[];
  /** The number of model responses so far. */
  steps: number;
  /** Whether the newest response is incomplete. */
  answering: boolean;
  /** The result of the newest run, once it has ended. */
  result?: RunResult;
}

export type TranscriptEntry =
  | { kind: "user"; message: PromptMessage }
  | { kind: "text"; text: string; complete: boolean; step: number }
  | { kind: "reasoning"; text: string; complete: boolean; step: number }
  | ToolEntry
  /** From here on the model gets these messages instead of all entries above. */
  | { kind: "history"; reason: HistoryReason; messages: readonly HistoryMessage[] };

type HistoryReason = EventOf<"history.replaced">["reason"];

export interface ToolEntry {
  kind: "tool";
  callId: string;
  tool: string;
  input: unknown;
  /** The number of the response that made the call, from 1. */
  step: number;
  /** The input that a person entered instead. */
  edited?: unknown;
  /** The id of the run that asked a person about the call. */
  askedIn?: string;
  /** `waiting`: for a person's answer. */
  state: "requested" | "waiting" | "running" | "denied" | "succeeded" | "failed";
  /** The reply that the model got. */
  output?: string;
  progress: readonly string[];
  durationMs?: number;
}

export const emptyTranscript: Transcript = { entries: [], steps: 0, answering: false };

/**
 * Adds one event to a transcript. Pure. Live views, replays and rebuilt histories use it.
 *
 * @example
 * let transcript = emptyTranscript;
 * for await (const event of run) transcript = reduceTranscript(transcript, event);
 */
export function reduceTranscript(transcript: Transcript, event: RunEvent): Transcript {
  const { entries, steps } = transcript;
  switch (event.type) {
    case "run.started":
      return { entries, steps, answering: false, runId: event.runId };
    case "run.finished":
      return { ...transcript, answering: false, result: event.result, entries: withObject(transcript, event.result) };
    case "model.input":
      return { ...transcript, entries: [...entries, ...event.messages.map(userEntry)] };
    case "history.replaced": {
      const { reason, messages } = event;
      return { ...transcript, entries: [...entries, { kind: "history", reason, messages }] };
    }
    case "step.started":
      return { ...transcript, steps: steps + 1, answering: true };
    case "step.finished":
      return { ...transcript, answering: false };
    case "retry.scheduled":
      return transcript.answering ? { ...transcript, entries: withoutStep(entries, steps) } : transcript;
    case "text.delta":
      return { ...transcript, entries: extend(transcript, "text", event.text) };
    case "text.completed":
      return { ...transcript, entries: complete(transcript, "text", event.text) };
    case "reasoning.delta":
      return { ...transcript, entries: extend(transcript, "reasoning", event.text) };
    case "reasoning.completed":
      return { ...transcript, entries: complete(transcript, "reasoning", event.text) };
    default:
      return reduceCall(transcript, event);
  }
}

function reduceCall(transcript: Transcript, event: RunEvent): Transcript {
  const { entries, steps } = transcript;
  switch (event.type) {
    case "tool.requested": {
      const { callId, tool, input } = event;
      return {
        ...transcript,
        entries: [...entries, { kind: "tool", callId, tool, input, step: steps, state: "requested", progress: [] }],
      };
    }
    case "approval.requested":
      return updateTool(transcript, event.callId, () => ({ state: "waiting", askedIn: event.runId }));
    case "approval.decided":
      return updateTool(transcript, event.callId, (entry) => decided(entry, event));
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

/** The transcript of a run's or session's events. Pure. */
export function buildTranscript(events: Iterable<RunEvent>): Transcript {
  let transcript = emptyTranscript;
  for (const event of events) transcript = reduceTranscript(transcript, event);
  return transcript;
}

/** An answer that another run logs is too late for its call. */
function decided({ state, askedIn }: ToolEntry, event: EventOf<"approval.decided">): Partial<ToolEntry> {
  if (askedIn === event.runId) return { state: "requested", ...getEdit(event) };
  return state === "waiting" ? { state: "denied", output: answeredTooLate(event) } : {};
}

function getEdit({ input }: EventOf<"approval.decided">): Pick<ToolEntry, "edited"> {
  return input === undefined ? {} : { edited: input };
}

/** An object is the model's last response. No other event contains it. */
function withObject({ entries, steps }: Transcript, { object }: RunResult): readonly TranscriptEntry[] {
  if (object === undefined) return entries;
  return [...entries, { kind: "text", text: JSON.stringify(object), complete: true, step: steps }];
}

type Spoken = "text" | "reasoning";

/** A response that is requested again: its text so far is void. */
function withoutStep(entries: readonly TranscriptEntry[], step: number): readonly TranscriptEntry[] {
  return entries.filter((entry) => !((entry.kind === "text" || entry.kind === "reasoning") && entry.step === step));
}

function userEntry(message: PromptMessage): TranscriptEntry {
  return { kind: "user", message };
}

function extend({ entries, steps }: Transcript, kind: Spoken, text: string): TranscriptEntry[] {
  const last = entries.at(-1);
  if (last?.kind !== kind || last.complete || last.step !== steps) {
    return [...entries, { kind, text, complete: false, step: steps }];
  }
  return [...entries.slice(0, -1), { ...last, text: last.text + text }];
}

/** The completed text is authoritative: it replaces the deltas of the same response. */
function complete({ entries, steps }: Transcript, kind: Spoken, text: string): readonly TranscriptEntry[] {
  const whole = { kind, text, complete: true, step: steps };
  const open = entries.findLastIndex((entry) => entry.kind === kind && !entry.complete && entry.step === steps);
  const turn = entries.findLastIndex((entry) => entry.kind === "user" || entry.kind === "tool");
  return open <= turn ? [...entries, whole] : entries.with(open, whole);
}

/** Changes the newest call with that id, because runs of one session may repeat ids. */
function updateTool(
  transcript: Transcript,
  callId: string,
  change: (entry: ToolEntry) => Partial<ToolEntry>,
): Transcript {
  const { entries } = transcript;
  const index = entries.findLastIndex((entry) => entry.kind === "tool" && entry.callId === callId);
  const entry = entries[index];
  if (entry?.kind !== "tool") return transcript;
  return { ...transcript, entries: entries.with(index, { ...entry, ...change(entry) }) };
}
