import {
  addToTotals,
  continueHistory,
  type HistoryMessage,
  noTotals,
  type RunEvent,
  reduceTranscript,
  type SessionSnapshot,
  type SessionTotals,
  TranscriptBuilder,
  type TranscriptEntry,
  transcriptToHistory,
} from "@bridle/protocol";
import { measureContext, nothingMeasured, type WindowMeter } from "../run/context-usage.ts";
import { type EventIdentity, identify } from "./event-identity.ts";
import { SettledHistory } from "./settled-history.ts";
import { parseSnapshots, type RedactsJson, toSnapshot } from "./snapshot-content.ts";

/**
 * The state that a session derives from its events. The beginning of the history is settled: later events do not change it, so its messages
 * are stored in snapshots. A session that continues from snapshots reads only the events after them.
 */
export class SessionState {
  #settled = new SettledHistory();
  /** The entries after the settled part. */
  #transcript = new TranscriptBuilder();
  readonly #approvals: RunEvent[] = [];
  /** The artifacts of results that were cut, by call. */
  readonly #results = new Map<string, string>();
  /** The approvals and results that are in no snapshot. */
  #newApprovals: RunEvent[] = [];
  #newResults: [string, string][] = [];
  #totals = noTotals;
  #usage = nothingMeasured;
  #newest: EventIdentity | undefined;
  #settledSeq = 0;

  /** Continues from snapshots. If they cannot be read, starts with an empty state. */
  static from(snapshots: readonly SessionSnapshot[]): SessionState {
    try {
      return SessionState.#read(snapshots);
    } catch {
      return new SessionState();
    }
  }

  static #read(snapshots: readonly SessionSnapshot[]): SessionState {
    const state = new SessionState();
    const parsed = parseSnapshots(snapshots);
    const last = parsed.at(-1);
    if (last === undefined) return state;
    const { totals, usage, steps, entries, newest } = last;
    for (const { approvals, results } of parsed) {
      state.#approvals.push(...approvals);
      for (const [callId, artifact] of results) state.#results.set(callId, artifact);
    }
    state.#settled = SettledHistory.from(parsed);
    state.#transcript = new TranscriptBuilder({ entries, steps, answering: false });
    [state.#totals, state.#usage, state.#newest, state.#settledSeq] = [totals, usage, newest, newest.seq];
    return state;
  }

  get totals(): SessionTotals {
    return this.#totals;
  }

  get usage(): WindowMeter {
    return this.#usage;
  }

  get steps(): number {
    return this.#transcript.steps;
  }

  get newest(): EventIdentity | undefined {
    return this.#newest;
  }

  /** The number of the newest event. */
  get lastSeq(): number {
    return this.#newest?.seq ?? 0;
  }

  /** The number of the newest event that is in a snapshot. */
  get settledSeq(): number {
    return this.#settledSeq;
  }

  get approvals(): readonly RunEvent[] {
    return this.#approvals;
  }

  get results(): ReadonlyMap<string, string> {
    return this.#results;
  }

  /** Adds the next event. Returns false if the event may be about a settled call: then the state must be derived from all events. */
  add(event: RunEvent): boolean {
    const isChange = this.#transcript.add(event);
    this.#totals = addToTotals(this.#totals, event);
    this.#usage = measureContext(this.#usage, event);
    if (event.type === "tool.finished" && event.artifact !== undefined) {
      this.#results.set(event.callId, event.artifact);
      this.#newResults.push([event.callId, event.artifact]);
    }
    if (event.type === "approval.requested" || event.type === "approval.decided") {
      this.#approvals.push(event);
      this.#newApprovals.push(event);
    }
    this.#newest = identify(event);
    return isChange || !this.#mayConcernSettled(event);
  }

  /** Whether `history` can derive the history from these events in addition to the state. */
  canContinueWith(events: readonly RunEvent[]): boolean {
    let transcript = this.#transcript.transcript();
    for (const event of events) {
      const next = reduceTranscript(transcript, event);
      if (next === transcript && this.#mayConcernSettled(event)) return false;
      transcript = next;
    }
    return true;
  }

  /** Returns the history, as if `events` were part of the state. */
  history(events: readonly RunEvent[] = []): readonly HistoryMessage[] {
    const { entries } = events.reduce(reduceTranscript, this.#transcript.transcript());
    if (this.#settled.messages.length === 0 || entries.some(isHistory)) return transcriptToHistory({ entries });
    return [...this.#settled.messages, ...continueHistory(entries, this.#settled.calls)];
  }

  /**
   * Settles everything before the user's newest message, and returns the snapshot of the newly settled part. Returns undefined if there is
   * nothing to settle, a response is incomplete, or a call waits for an answer. Call it after a run.
   */
  settle(redact: RedactsJson): SessionSnapshot | undefined {
    const { entries, steps, answering } = this.#transcript.transcript();
    const end = entries.findLastIndex(({ kind }) => kind === "user");
    const settling = entries.slice(0, Math.max(0, end));
    const newest = this.#newest;
    if (!newest || answering || settling.length === 0 || settling.some(isWaiting)) return undefined;
    const isReplaced = settling.some(isHistory);
    const messages = isReplaced ? transcriptToHistory({ entries: settling }) : this.#continued(settling);
    const rest = entries.slice(end);
    const snapshot = toSnapshot(this.#settledSeq, redact, {
      newest,
      isReplaced,
      messages,
      entries: rest,
      steps,
      approvals: this.#newApprovals,
      results: this.#newResults,
      totals: this.#totals,
      usage: this.#usage,
    });
    if (isReplaced) this.#settled = new SettledHistory();
    this.#settled.add(messages);
    this.#transcript = new TranscriptBuilder({ entries: rest, steps, answering: false });
    [this.#newApprovals, this.#newResults, this.#settledSeq] = [[], [], newest.seq];
    return snapshot;
  }

  #continued(entries: readonly TranscriptEntry[]): readonly HistoryMessage[] {
    return continueHistory(entries, this.#settled.calls);
  }

  #mayConcernSettled(event: RunEvent): boolean {
    return "callId" in event && this.#settledSeq > 0;
  }
}

function isHistory({ kind }: TranscriptEntry): boolean {
  return kind === "history";
}

function isWaiting(entry: TranscriptEntry): boolean {
  return entry.kind === "tool" && entry.state === "waiting";
}
