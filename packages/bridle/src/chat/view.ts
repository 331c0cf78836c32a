/** What a chat shows, folded from events and from what its user does. Pure. */
import {
  type Approval,
  addToTotals,
  type Cost,
  emptyTranscript,
  noTotals,
  noUsage,
  type RunEvent,
  reduceTranscript,
  type SessionTotals,
  type Transcript,
  type TranscriptEntry,
  type Usage,
} from "@bridle/protocol";

/** `command`: what the person asked of the chat itself; `plain`: what it told. */
export type Tone = "command" | "plain" | "dim" | "warning" | "error";

interface Note {
  readonly kind: "note";
  readonly tone: Tone;
  readonly text: string;
}

/** What stands in the conversation, from top to bottom. */
export type Item = TranscriptEntry | Note;

/** How much of a usage window is used, as the host told it last. */
export interface WindowState {
  readonly window: string;
  readonly state: "warned" | "used up";
  /** From 0 to 1. */
  readonly utilization?: number;
  /** Milliseconds since the epoch. */
  readonly resetsAt?: number;
}

export interface ChatView {
  readonly session: string;
  /** What stands above and does not change any more: other sessions, and what was said before this process. */
  readonly past: readonly Item[];
  readonly transcript: Transcript;
  /** Each stands before the entry of the transcript at its place. */
  readonly notes: readonly { readonly at: number; readonly note: Note }[];
  /** Sent, and not on record yet. */
  readonly sending?: string;
  /** `startedAt` in milliseconds since the epoch. */
  readonly run?: { readonly startedAt: number; readonly isStopping: boolean };
  /** Calls in progress, by id. */
  readonly calls: Readonly<Record<string, { readonly tool: string; readonly startedAt: number }>>;
  /** Prompts that are sent when the run has ended. */
  readonly queued: readonly string[];
  readonly questions: readonly Approval[];
  /** Of the runs that have ended. */
  readonly totals: SessionTotals;
  /** Of the run in progress so far. */
  readonly current: { readonly usage: Usage; readonly cost?: Cost };
  /** As the host names it, once it has answered. */
  readonly model?: string;
  readonly window?: WindowState;
}

export const nothingYet = { usage: noUsage };

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
    current: nothingYet,
    ...(model !== undefined && { model }),
  };
}

/** Everything in its order. */
export function itemsOf({ past, transcript: { entries }, notes, sending }: ChatView): Item[] {
  const items: Item[] = [...past];
  let next = 0;
  for (const [index, entry] of entries.entries()) {
    for (; (notes[next]?.at ?? Number.POSITIVE_INFINITY) <= index; next += 1) items.push(...noteAt(notes, next));
    items.push(entry);
  }
  for (; next < notes.length; next += 1) items.push(...noteAt(notes, next));
  if (sending !== undefined) items.push({ kind: "user", message: { role: "user", content: sending } });
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

/** Goes on in another session; what is shown stays above. `events` are all that is on record of it. */
export function enterSession(view: ChatView, session: string, events: Iterable<RunEvent>, shown: number): ChatView {
  let transcript = emptyTranscript;
  let totals = noTotals;
  for (const event of events) {
    transcript = reduceTranscript(transcript, event);
    totals = addToTotals(totals, event);
  }
  const { sending: _sending, run: _run, ...rest } = view;
  return {
    ...rest,
    session,
    past: [...itemsOf(view), ...newest(transcript.entries, shown)],
    transcript: emptyTranscript,
    notes: [],
    calls: {},
    totals,
    current: nothingYet,
  };
}

function newest(entries: readonly TranscriptEntry[], shown: number): Item[] {
  const left = entries.length - shown;
  if (left <= 0) return [...entries];
  const text = `… ${left} earlier entries; "bridle sessions show" tells all.`;
  return [{ kind: "note", tone: "dim", text }, ...entries.slice(-shown)];
}
