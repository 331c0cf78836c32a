import type { EventOf, RunResult } from "../events/events.ts";
import type { HistoryMessage } from "../messages/history-message.ts";
import type { ImagePart, PromptMessage } from "../messages/prompt.ts";

/** The messages, texts and tool calls in order, derived only from events. */
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
  /** From this entry on, the model gets these messages instead of all earlier entries. */
  | { kind: "history"; reason: HistoryReason; messages: readonly HistoryMessage[] };

export type HistoryReason = EventOf<"history.replaced">["reason"];

export interface ToolEntry {
  kind: "tool";
  callId: string;
  tool: string;
  input: unknown;
  /** The number of the response that made the call, from 1. */
  step: number;
  /** The input that the user entered instead. */
  edited?: unknown;
  /** The id of the run that asked the user about the call. */
  askedIn?: string;
  /** The state of the call. `waiting` means that it waits for the user's answer. */
  state: "requested" | "waiting" | "running" | "denied" | "succeeded" | "failed";
  /** The reply that the model got. */
  output?: string;
  /** The images of the reply. */
  images?: readonly ImagePart[];
  progress: readonly string[];
  /** The runs that the call started. */
  nested?: readonly NestedRun[];
  durationMs?: number;
}

/** A run that a call started, and its session. */
export interface NestedRun {
  readonly runId: string;
  readonly sessionId?: string;
}

export const emptyTranscript: Transcript = { entries: [], steps: 0, answering: false };
