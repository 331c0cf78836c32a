import type { EventOf, RunEvent } from "../events/events.ts";
import type { Transcript, TranscriptEntry } from "./transcript.ts";
import { TranscriptBuilder } from "./transcript-builder.ts";

/** The place of a transcript entry in the event log, and other facts from its events. */
export interface EntryPlace {
  /** The run of the entry. */
  runId: string;
  /** The event that began the entry. For a complete text, the event that completed it. */
  seq: number;
  /** The event's time, in milliseconds since the epoch. */
  time: number;
  /** The event with the reply to a call. */
  endSeq?: number;
  /** The id of the whole reply, if it was truncated. */
  artifact?: string;
  /** The rule that allowed or denied a call, or asked. */
  rule?: string;
  /** The id of the newest question about a call. */
  approvalId?: string;
}

export type PlacedEntry = TranscriptEntry & EntryPlace;

/** A response that was requested again. Its earlier content is discarded, and remains only in the event log. */
export interface RetriedResponse {
  runId: string;
  /** The event that requests the response again. */
  seq: number;
  /** The event's time, in milliseconds since the epoch. */
  time: number;
  step: number;
  reason: string;
  attempt: number;
  maxAttempts: number;
}

/** A transcript up to an event. `PlacedTranscript` continues from it. */
export interface PlacedEntries extends Omit<Transcript, "entries"> {
  /** The newest event that the transcript includes. 0 for none. */
  seq: number;
  entries: readonly PlacedEntry[];
  /** The responses that were requested again. Missing if there are none. */
  retries?: readonly RetriedResponse[];
}

/**
 * Collects a transcript with the place of each entry in the event log. Each event counts once: events that are already
 * included have no effect, so a client may receive them again after a reconnection.
 *
 * @example
 * const transcript = new PlacedTranscript(await client.sessions.transcript("order-42"));
 * for await (const event of client.sessions.follow("order-42", { after: transcript.seq })) transcript.add(event);
 */
export class PlacedTranscript {
  readonly #builder: TranscriptBuilder;
  readonly #places: Place[] = [];
  readonly #retries: RetriedResponse[];
  /** The place of the newest call with each id. */
  readonly #calls = new Map<string, Place>();
  #seq: number;

  constructor({ seq, retries = [], ...transcript }: PlacedEntries = emptyEntries) {
    this.#retries = [...retries];
    this.#builder = new TranscriptBuilder(transcript);
    this.#seq = seq;
    for (const entry of transcript.entries) this.#keepPlace(entry);
  }

  /** The newest event that is included. */
  get seq(): number {
    return this.#seq;
  }

  /** Adds an event. Returns false if the event changes nothing that `entries()` shows. */
  add(event: RunEvent): boolean {
    if (event.seq <= this.#seq) return false;
    this.#seq = event.seq;
    const changed = this.#builder.add(event);
    if (event.type === "retry.scheduled" && changed) this.#addRetry(event);
    if (this.#builder.length < this.#places.length) this.#removeVoid();
    if (this.#builder.length === this.#places.length) this.#completeText(event);
    while (this.#places.length < this.#builder.length) this.#addPlace(event);
    return this.#noteCall(event) || changed;
  }

  /** Returns the transcript so far. An entry that has not changed since the last call is the same object. */
  entries(): PlacedEntries {
    const { entries, ...state } = this.#builder.transcript();
    const placed = entries.map((entry, index) => placedEntry(entry, this.#places[index] ?? { ...missingPlace }));
    const retries = this.#retries.length > 0 && { retries: [...this.#retries] };
    return { ...state, seq: this.#seq, entries: placed, ...retries };
  }

  #addRetry({ runId, seq, time, reason, attempt, maxAttempts }: EventOf<"retry.scheduled">): void {
    this.#retries.push({ runId, seq, time, step: this.#builder.steps, reason, attempt, maxAttempts });
  }

  #keepPlace(entry: PlacedEntry): void {
    const { kind, runId, seq, time, endSeq, artifact, rule, approvalId } = entry;
    const place: Place = {
      kind,
      runId,
      seq,
      time,
      ...(endSeq !== undefined && { endSeq }),
      ...(artifact !== undefined && { artifact }),
      ...(rule !== undefined && { rule }),
      ...(approvalId !== undefined && { approvalId }),
      ...("step" in entry && { step: entry.step }),
      ...("complete" in entry && !entry.complete && { isOpen: true }),
    };
    this.#places.push(place);
    if (kind === "tool") this.#calls.set(entry.callId, place);
  }

  #addPlace(event: RunEvent): void {
    const { runId, seq, time } = event;
    const kind = kindOf(event);
    const isOfStep = kind !== "user" && kind !== "history";
    const isOpen = event.type === "text.delta" || event.type === "reasoning.delta";
    const place: Place = { kind, runId, seq, time, isOpen, ...(isOfStep && { step: this.#builder.steps }) };
    this.#places.push(place);
    if (event.type === "tool.requested") this.#calls.set(event.callId, place);
  }

  /**
   * Sets the place of a completed text to the event that completes it, because a reader without deltas has no earlier event of the text.
   */
  #completeText({ type, seq, time }: RunEvent): void {
    if (type !== "text.completed" && type !== "reasoning.completed") return;
    const kind = type === "text.completed" ? "text" : "reasoning";
    const { steps } = this.#builder;
    const place = this.#places.findLast((each) => each.isOpen && each.kind === kind && each.step === steps);
    if (place) change(place, { seq, time, isOpen: false });
  }

  /** Removes the texts of a response that is requested again, as the builder does. The response's calls stay. */
  #removeVoid(): void {
    const { steps } = this.#builder;
    const first = this.#places.findLastIndex(({ step }) => step !== undefined && step < steps) + 1;
    const tail = this.#places.splice(first);
    this.#places.push(...tail.filter(({ kind }) => kind !== "text" && kind !== "reasoning"));
  }

  #noteCall(event: RunEvent): boolean {
    const place = "callId" in event ? this.#calls.get(event.callId) : undefined;
    if (place === undefined) return false;
    switch (event.type) {
      case "tool.evaluated":
        return change(place, { rule: event.rule });
      case "approval.requested":
        return change(place, { approvalId: event.approvalId });
      case "tool.denied":
        return change(place, { endSeq: event.seq });
      case "tool.finished": {
        const { seq: endSeq, artifact } = event;
        return change(place, { endSeq, ...(artifact !== undefined && { artifact }) });
      }
      default:
        return false;
    }
  }
}

interface Place extends EntryPlace {
  readonly kind: TranscriptEntry["kind"];
  readonly step?: number;
  /** Whether a text is incomplete. */
  isOpen?: boolean;
  /** The entry joined with its place. Missing after one of the two changes. */
  placed?: { readonly of: TranscriptEntry; readonly entry: PlacedEntry } | undefined;
}

function placedEntry(of: TranscriptEntry, place: Place): PlacedEntry {
  if (place.placed?.of === of) return place.placed.entry;
  const { kind: _kind, step: _step, isOpen: _isOpen, placed: _placed, ...shown } = place;
  const entry = { ...of, ...shown };
  place.placed = { of, entry };
  return entry;
}

function change(place: Place, changes: Partial<Place>): true {
  Object.assign(place, changes, { placed: undefined });
  return true;
}

const emptyEntries: PlacedEntries = { seq: 0, entries: [], steps: 0, answering: false };

const missingPlace: Place = { kind: "user", runId: "", seq: 0, time: 0 };

/** Returns the kind of entry that an event begins. */
function kindOf(event: RunEvent): TranscriptEntry["kind"] {
  switch (event.type) {
    case "model.input":
      return "user";
    case "history.replaced":
      return "history";
    case "tool.requested":
      return "tool";
    case "reasoning.delta":
    case "reasoning.completed":
      return "reasoning";
    default:
      return "text";
  }
}
