/** What a chat shows, folded from events and from what its user does. Pure. */
import {
  type Approval,
  addCost,
  addToTotals,
  addUsage,
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
} from "@bridle/core";

/** `command`: what the person asked of the chat itself; `plain`: what it told. */
export type Tone = "command" | "plain" | "dim" | "warning" | "error";

export interface Note {
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

const nothingYet = { usage: noUsage };

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

/** Folds an event of the session's run in progress. */
export function reduceView(view: ChatView, event: RunEvent): ChatView {
  const next = {
    ...view,
    transcript: reduceTranscript(view.transcript, event),
    totals: addToTotals(view.totals, event),
  };
  switch (event.type) {
    case "model.input":
      return withoutSending(next);
    case "step.started":
      return event.model === undefined ? next : { ...next, model: event.model };
    case "tool.started":
      return {
        ...next,
        calls: { ...view.calls, [event.callId]: { tool: toolOf(next, event.callId), startedAt: event.time } },
      };
    case "tool.finished":
    case "tool.denied":
      return { ...next, calls: omit(view.calls, event.callId) };
    case "usage.reported":
      return { ...next, current: addReport(view.current, event) };
    case "run.started":
      return { ...next, current: nothingYet, model: view.model ?? event.model };
    case "run.finished":
      return { ...withoutRun(next), current: nothingYet };
    default:
      return reduceWindow(next, event);
  }
}

function reduceWindow(view: ChatView, event: RunEvent): ChatView {
  switch (event.type) {
    case "limit.warned":
      return { ...view, window: windowOf(event, "warned") };
    case "limit.reached":
    case "limit.waiting":
      return { ...view, window: windowOf(event, "used up") };
    case "limit.cleared":
      return withoutWindow(view);
    default:
      return view;
  }
}

function windowOf(
  {
    window,
    resetsAt,
    utilization,
  }: { window: string; resetsAt?: number | undefined; utilization?: number | undefined },
  state: WindowState["state"],
): WindowState {
  return {
    window,
    state,
    ...(utilization !== undefined && { utilization }),
    ...(resetsAt !== undefined && { resetsAt }),
  };
}

function toolOf({ transcript: { entries } }: ChatView, callId: string): string {
  const entry = entries.findLast((each) => each.kind === "tool" && each.callId === callId);
  return entry?.kind === "tool" ? entry.tool : "tool";
}

function addReport(current: ChatView["current"], { usage, cost }: { usage: Usage; cost?: Cost | undefined }) {
  const sum = addCost(current.cost, cost);
  return { usage: addUsage(current.usage, usage), ...(sum && { cost: sum }) };
}

function omit<T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

function withoutSending({ sending: _gone, ...view }: ChatView): ChatView {
  return view;
}

/** Nothing is in progress any more. */
export function withoutRun({ run: _gone, ...view }: ChatView): ChatView {
  return { ...view, calls: {} };
}

function withoutWindow({ window: _gone, ...view }: ChatView): ChatView {
  return view;
}
