import { type EventOf, type RunEvent, TranscriptBuilder, type TranscriptEntry } from "@bridle/protocol";
import { CallFactsBuilder } from "./call-facts.ts";
import type { RunFactsBuilder } from "./run-facts.ts";
import type { ToolsText } from "./tools-text.ts";
import { formatNote, type TranscriptText } from "./transcript-text.ts";

/** The maximum number of pieces of text, entries and notes to keep. No normal run has more of them in one step. */
const max = { pieces: 1000, entries: 2000, notes: 1000 };

/** A note, and the number of entries before it. */
interface PlacedNote {
  readonly at: number;
  readonly text: string;
}

/**
 * Writes transcripts and calls as soon as they can no longer change: when a step is over and its calls have ended. Memory therefore
 * contains only one step of a run.
 */
export class RunTexts {
  readonly #transcript: TranscriptText;
  readonly #tools: ToolsText;
  #runId: string | undefined;
  #run: RunFactsBuilder | undefined;
  #entries = new TranscriptBuilder();
  #calls = new Map<string, CallFactsBuilder>();
  readonly #openCalls = new Set<string>();
  #notes: PlacedNote[] = [];
  /** Pieces of one string that are not in the entries yet. */
  #pieces: string[] = [];
  #pieceType: "text.delta" | "reasoning.delta" = "text.delta";

  constructor(transcript: TranscriptText, tools: ToolsText) {
    this.#transcript = transcript;
    this.#tools = tools;
  }

  /** Adds an event. `run` contains the facts about the event's run, including this event. */
  add(event: RunEvent, run: RunFactsBuilder): void {
    if (event.runId !== this.#runId) this.#begin(event, run);
    if (event.type === "text.delta" || event.type === "reasoning.delta") {
      this.#addPiece(event);
      return;
    }
    this.#joinPieces();
    if (this.#isOver(event)) this.#write();
    this.#addCall(event, run);
    if (event.type !== "tool.progress") this.#entries.add(event);
    this.#addNote(event, run);
  }

  end(): void {
    this.#endRun();
    this.#tools.end();
  }

  /** Whether to write everything before an event: if it can no longer change, or if too much of it is in memory. */
  #isOver(event: RunEvent): boolean {
    const { length } = this.#entries;
    const isClosed = this.#openCalls.size === 0 && (beginsStep(event) || length >= max.entries);
    return isClosed || length >= 2 * max.entries;
  }

  #begin(event: RunEvent, run: RunFactsBuilder): void {
    this.#endRun();
    this.#runId = event.runId;
    this.#run = run;
    this.#transcript.begin(event, run.events > 1);
  }

  #endRun(): void {
    if (this.#run === undefined) return;
    this.#joinPieces();
    this.#write();
    this.#openCalls.clear();
    this.#entries = new TranscriptBuilder();
    this.#transcript.endRun(this.#run.facts());
  }

  #addPiece(event: EventOf<"text.delta"> | EventOf<"reasoning.delta">): void {
    if (event.type !== this.#pieceType || this.#pieces.length >= max.pieces) this.#joinPieces();
    this.#pieceType = event.type;
    this.#pieces.push(event.text);
  }

  #joinPieces(): void {
    if (this.#pieces.length === 0) return;
    const text = this.#pieces.join("");
    this.#entries.add({ type: this.#pieceType, text, seq: 1, time: 0, runId: this.#runId ?? "" });
    this.#pieces = [];
  }

  #addNote(event: RunEvent, run: RunFactsBuilder): void {
    const text = formatNote(event, run.startedAt);
    if (text === undefined) return;
    this.#notes.push({ at: this.#entries.length, text });
    if (this.#notes.length >= max.notes) this.#writeNotes(Number.POSITIVE_INFINITY);
  }

  #addCall(event: RunEvent, run: RunFactsBuilder): void {
    if (!("callId" in event)) return;
    if (event.type === "tool.requested") {
      this.#calls.set(event.callId, new CallFactsBuilder(event, run.startedAt));
      this.#openCalls.add(event.callId);
      return;
    }
    const call = this.#calls.get(event.callId);
    call?.add(event);
    if (!call?.isOpen) this.#openCalls.delete(event.callId);
  }

  #write(): void {
    const { entries, ...state } = this.#entries.transcript();
    for (const [index, entry] of entries.entries()) {
      this.#writeNotes(index);
      this.#transcript.addEntry(entry, this.#factsOf(entry));
    }
    this.#writeNotes(Number.POSITIVE_INFINITY);
    for (const call of this.#calls.values()) this.#tools.add(this.#runId ?? "", call.facts());
    this.#calls.clear();
    this.#openCalls.clear();
    this.#entries = new TranscriptBuilder({ ...state, entries: [] });
  }

  #factsOf(entry: TranscriptEntry) {
    return entry.kind === "tool" ? this.#calls.get(entry.callId)?.facts() : undefined;
  }

  /** Writes the notes that belong before this number of entries. */
  #writeNotes(at: number): void {
    const later = this.#notes.findIndex((note) => note.at > at);
    const ready = later < 0 ? this.#notes.splice(0) : this.#notes.splice(0, later);
    for (const { text } of ready) this.#transcript.addNote(text);
  }
}

/** Whether everything before an event belongs to a step that is over. */
function beginsStep({ type }: RunEvent): boolean {
  return type === "step.started" || type === "model.input" || type === "run.finished";
}
