import type { RunEvent, RunResult } from "../events/events.ts";
import type { PromptMessage } from "../messages/prompt.ts";
import { asked, decided, toNested } from "./call-changes.ts";
import { promptText } from "./prompt-text.ts";
import { emptyTranscript, type ToolEntry, type Transcript, type TranscriptEntry } from "./transcript.ts";

/** Collects a transcript, event by event. The cost of an event does not grow with the number of entries. */
export class TranscriptBuilder {
  readonly #entries: TranscriptEntry[];
  /** The index of the newest call with each id, because runs of one session may repeat ids. */
  #calls: Map<string, number> | undefined;
  #lookups = 0;
  /** The progress lists that no caller has received yet, by the index of the call. They can be extended in place. */
  readonly #unseenProgress = new Map<number, string[]>();
  #state: Omit<Transcript, "entries">;

  constructor({ entries, ...state }: Transcript = emptyTranscript) {
    this.#entries = [...entries];
    this.#state = state;
    if (entries.length === 0) this.#calls = new Map();
  }

  /** Returns the transcript so far, with a copy of the entry list. */
  transcript(): Transcript {
    this.#unseenProgress.clear();
    return { ...this.#state, entries: [...this.#entries] };
  }

  /** The number of model responses so far. */
  get steps(): number {
    return this.#state.steps;
  }

  /** The number of entries so far. */
  get length(): number {
    return this.#entries.length;
  }

  /** Adds an event. Returns false if the event changes nothing. */
  add(event: RunEvent): boolean {
    const { steps } = this.#state;
    switch (event.type) {
      case "run.started":
        this.#state = { steps, answering: false, runId: event.runId };
        return true;
      case "run.finished":
        this.#addObject(event.result);
        return this.#change({ answering: false, result: event.result });
      case "model.input":
        for (const message of event.messages) this.#entries.push(this.#entryOf(message, event.turn));
        return true;
      case "history.replaced": {
        const { reason, messages } = event;
        this.#entries.push({ kind: "history", reason, messages });
        return true;
      }
      case "step.started":
        return this.#change({ steps: steps + 1, answering: true });
      case "step.finished":
        return this.#change({ answering: false });
      case "retry.scheduled":
        return this.#state.answering && this.#removeStep();
      default:
        return this.#addText(event) || this.#addCall(event);
    }
  }

  /** Returns the entry of a message. In a later turn, the assistant's message is the invalid object that the model has just returned. */
  #entryOf(message: PromptMessage, turn: number): TranscriptEntry {
    if (turn === 1 || message.role === "user") return { kind: "user", message };
    return { kind: "text", text: promptText(message), complete: true, step: this.#state.steps };
  }

  #change(changes: Partial<Omit<Transcript, "entries">>): true {
    this.#state = { ...this.#state, ...changes };
    return true;
  }

  #addText(event: RunEvent): boolean {
    switch (event.type) {
      case "text.delta":
        return this.#extend("text", event.text);
      case "text.completed":
        return this.#complete("text", event.text);
      case "reasoning.delta":
        return this.#extend("reasoning", event.text);
      case "reasoning.completed":
        return this.#complete("reasoning", event.text);
      default:
        return false;
    }
  }

  #addCall(event: RunEvent): boolean {
    switch (event.type) {
      case "tool.requested": {
        const { callId, tool, input } = event;
        this.#calls?.set(callId, this.#entries.length);
        this.#entries.push({
          kind: "tool",
          callId,
          tool,
          input,
          step: this.#state.steps,
          state: "requested",
          progress: [],
        });
        return true;
      }
      case "nested.started":
        return this.#updateCall(event.callId, (entry) => ({ nested: [...(entry.nested ?? []), toNested(event)] }));
      case "approval.requested":
        if (event.nested) return false; // the call itself is running
        return this.#updateCall(event.callId, (entry) => asked(entry, event));
      case "approval.decided":
        if (event.nested) return false;
        return this.#updateCall(event.callId, (entry) => decided(entry, event));
      case "tool.started":
        return this.#updateCall(event.callId, () => ({ state: "running" }));
      case "tool.progress":
        return this.#addProgress(event.callId, event.message);
      case "tool.denied":
        return this.#updateCall(event.callId, () => ({ state: "denied", output: event.output }));
      case "tool.finished": {
        const { output, durationMs, ok, images } = event;
        const state = ok ? "succeeded" : "failed";
        return this.#updateCall(event.callId, () => ({ state, output, durationMs, ...(images && { images }) }));
      }
      default:
        return false;
    }
  }

  /** Adds the result's object as the model's last response, because no other event contains the object. */
  #addObject({ object }: RunResult): void {
    if (object === undefined) return;
    this.#entries.push({ kind: "text", text: JSON.stringify(object), complete: true, step: this.#state.steps });
  }

  #extend(kind: Spoken, text: string): true {
    const { steps } = this.#state;
    const last = this.#entries.at(-1);
    const isOpen = last?.kind === kind && !last.complete && last.step === steps;
    if (isOpen) this.#entries[this.#entries.length - 1] = { ...last, text: last.text + text };
    else this.#entries.push({ kind, text, complete: false, step: steps });
    return true;
  }

  /** Replaces the deltas of the response with the completed text. */
  #complete(kind: Spoken, text: string): true {
    const { steps } = this.#state;
    const whole = { kind, text, complete: true, step: steps };
    const open = this.#findOpen(kind);
    if (open === undefined) this.#entries.push(whole);
    else this.#entries[open] = whole;
    return true;
  }

  /** Finds the index of this response's incomplete text after the newest message and call. */
  #findOpen(kind: Spoken): number | undefined {
    for (let index = this.#entries.length - 1; index >= 0; index--) {
      const entry = this.#entries[index];
      if (entry === undefined || entry.kind === "user" || entry.kind === "tool") return undefined;
      if (entry.kind === kind && !entry.complete && entry.step === this.#state.steps) return index;
      if (entry.kind !== "history" && entry.step < this.#state.steps) return undefined;
    }
    return undefined;
  }

  /** Removes the text so far of a response that is requested again. */
  #removeStep(): true {
    const { steps } = this.#state;
    let first = this.#entries.length;
    for (; first > 0; first--) {
      const entry = this.#entries[first - 1];
      if (entry && "step" in entry && entry.step < steps) break;
    }
    this.#unseenProgress.clear();
    const tail = this.#entries.splice(first);
    this.#entries.push(...tail.filter(({ kind }) => kind !== "text" && kind !== "reasoning"));
    this.#indexCalls(first);
    return true;
  }

  #indexCalls(first: number): void {
    for (let index = first; index < this.#entries.length; index++) {
      const entry = this.#entries[index];
      if (entry?.kind === "tool") this.#calls?.set(entry.callId, index);
    }
  }

  /** Finds the index of a call. The first look-up searches from the end; an index pays off from the second look-up on. */
  #indexOfCall(callId: string): number {
    this.#lookups += 1;
    if (this.#calls === undefined && this.#lookups > 1) {
      this.#calls = new Map();
      this.#indexCalls(0);
    }
    if (this.#calls) return this.#calls.get(callId) ?? -1;
    return this.#entries.findLastIndex((entry) => entry.kind === "tool" && entry.callId === callId);
  }

  #addProgress(callId: string, message: string): boolean {
    const index = this.#indexOfCall(callId);
    const entry = this.#entries[index];
    if (entry?.kind !== "tool") return false;
    const own = this.#unseenProgress.get(index);
    if (own) own.push(message);
    else {
      const progress = [...entry.progress, message];
      this.#unseenProgress.set(index, progress);
      this.#entries[index] = { ...entry, progress };
    }
    return true;
  }

  #updateCall(callId: string, change: (entry: ToolEntry) => Partial<ToolEntry>): boolean {
    const index = this.#indexOfCall(callId);
    const entry = this.#entries[index];
    if (entry?.kind !== "tool") return false;
    this.#entries[index] = { ...entry, ...change(entry) };
    return true;
  }
}

type Spoken = "text" | "reasoning";

/**
 * Adds one event to a transcript. Pure: the given transcript stays as it is. For many events, use `TranscriptBuilder` or `buildTranscript`,
 * which do not copy the entries for each event.
 *
 * @example
 * let transcript = emptyTranscript;
 * for await (const event of run) transcript = reduceTranscript(transcript, event);
 */
export function reduceTranscript(transcript: Transcript, event: RunEvent): Transcript {
  const builder = new TranscriptBuilder(transcript);
  return builder.add(event) ? builder.transcript() : transcript;
}

/** Builds the transcript of a run's or session's events. Pure. */
export function buildTranscript(events: Iterable<RunEvent>): Transcript {
  const builder = new TranscriptBuilder();
  for (const event of events) builder.add(event);
  return builder.transcript();
}
