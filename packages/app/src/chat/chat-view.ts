/** The state of a chat's view, computed from events and the user's actions. Pure. */
import {
  type Approval,
  addToTotals,
  type Cost,
  emptyTranscript,
  noCost,
  noTotals,
  noUsage,
  type RunEvent,
  reduceTranscript,
  type SessionTotals,
  type Transcript,
  type TranscriptEntry,
  type Usage,
} from "@bridle/protocol";

import { type AttachedPrompt, attachedMessage } from "../attachments/attachment.ts";

/** `command`: a command that the user typed; `plain`: its result. */
export type Tone = "command" | "plain" | "dim" | "warning" | "error";

interface Note {
  readonly kind: "note";
  readonly tone: Tone;
  readonly text: string;
}

/** One item of the conversation. */
export type ChatItem = TranscriptEntry | Note;

/** How much of a usage window is used, according to the host's latest report. */
export interface WindowState {
  readonly window: string;
  readonly state: "warned" | "used up";
  /** The used share, from 0 to 1. */
  readonly utilization?: number | undefined;
  /** When the window resets, in milliseconds since the epoch. */
  readonly resetsAt?: number | undefined;
}

export interface ChatView {
  readonly session: string;
  /** Whether a script plays the model. */
  readonly isRehearsed?: boolean | undefined;
  /** Items at the top that no longer change: other sessions, and the conversation before this process. */
  readonly past: readonly ChatItem[];
  readonly transcript: Transcript;
  /** Each note is shown before the transcript entry with the index `at`. */
  readonly notes: readonly { readonly at: number; readonly note: Note }[];
  /** A prompt that was sent, but is not in the event log yet. */
  readonly sending?: AttachedPrompt | undefined;
  /** The run in progress; `startedAt` in milliseconds since the epoch. */
  readonly run?: { readonly startedAt: number; readonly isStopping: boolean } | undefined;
  /** Calls in progress, by id. */
  readonly calls: Readonly<Record<string, { readonly tool: string; readonly startedAt: number }>>;
  /** Prompts to send after the run in progress. */
  readonly queued: readonly AttachedPrompt[];
  readonly questions: readonly Approval[];
  /** The totals of the runs that have ended. */
  readonly totals: SessionTotals;
  /** The usage of the run in progress. */
  readonly current: { readonly usage: Usage; readonly cost?: Cost | undefined };
  /** The model's name. After the first answer, the host's name for the model. */
  readonly model?: string | undefined;
  readonly window?: WindowState | undefined;
}

export const noCurrentUsage: ChatView["current"] = { usage: noUsage, cost: noCost };

export function createView(session: string, model?: string): ChatView {
  return {
    session,
    past: [],
    transcript: emptyTranscript,
    notes: [],
    calls: {},
    queued: [],
    questions: [],
    totals: noTotals,
    current: noCurrentUsage,
    model,
  };
}

/** Lists all items, from top to bottom. */
export function listItems({ past, transcript: { entries }, notes, sending }: ChatView): ChatItem[] {
  const items: ChatItem[] = [...past];
  let next = 0;
  for (const [index, entry] of entries.entries()) {
    for (; (notes[next]?.at ?? Number.POSITIVE_INFINITY) <= index; next += 1) items.push(...noteAt(notes, next));
    items.push(entry);
  }
  for (; next < notes.length; next += 1) items.push(...noteAt(notes, next));
  if (sending !== undefined) items.push({ kind: "user", message: attachedMessage(sending) });
  return items;
}

function noteAt(notes: ChatView["notes"], index: number): Note[] {
  const found = notes[index];
  return found ? [found.note] : [];
}

export function addNote(view: ChatView, text: string, tone: Tone = "dim"): ChatView {
  const note: Note = { kind: "note", tone, text };
  return { ...view, notes: [...view.notes, { at: view.transcript.entries.length, note }] };
}

/**
 * Switches to another session and keeps the items above. `events` are all events of that session; its newest `shown` entries are displayed.
 */
export function enterSession(view: ChatView, session: string, events: Iterable<RunEvent>, shown: number): ChatView {
  let transcript = emptyTranscript;
  let totals = noTotals;
  for (const event of events) {
    transcript = reduceTranscript(transcript, event);
    totals = addToTotals(totals, event);
  }
  return {
    ...view,
    session,
    totals,
    transcript: emptyTranscript,
    notes: [],
    calls: {},
    current: noCurrentUsage,
    sending: undefined,
    run: undefined,
    past: [...listItems(view), ...newestItems(transcript.entries, shown)],
  };
}

function newestItems(entries: readonly TranscriptEntry[], shown: number): ChatItem[] {
  const hidden = entries.length - shown;
  if (hidden <= 0) return [...entries];
  const text = `… ${hidden} earlier entries; "bridle sessions show" shows them all.`;
  return [{ kind: "note", tone: "dim", text }, ...entries.slice(-shown)];
}
