import type { ApprovalStore } from "../approvals/approval-answers.ts";
import type { EventDraft, EventScope, RunEvent } from "../events/events.ts";

/** What an event belongs to: a run, and the session that the run is of, where it is of one. */
export type RunScope = Pick<EventScope, "runId" | "sessionId">;

export interface AppendOptions {
  /** Whether the event has to outlive a power cut that follows the return. Default: false. */
  durable?: boolean;
}

/** Which events are wanted: those of a run or of a session, from a place on, and how many. */
export type EventQuery = ({ readonly runId: string } | { readonly sessionId: string }) & {
  /** The first `seq` that is wanted. */
  readonly from?: number;
  /** The newest ones only, this many at most. */
  readonly last?: number;
  /** The first ones only, this many at most; of what `last` leaves. */
  readonly limit?: number;
  /** Not the pieces of streamed text, which are most of what is on record: `text.delta` and `reasoning.delta`. */
  readonly withoutDeltas?: boolean;
};

/** A run that is on record. `startedAt` is the time of its first event. */
export interface RunSummary {
  readonly runId: string;
  readonly sessionId?: string;
  readonly startedAt: number;
  readonly ended: boolean;
}

/**
 * A session that is on record. `lastSeq` is the number of its events, too; `labels` are those of its newest run, and
 * `firstPrompt` is the beginning of the first text that a user said in it, 200 characters at most.
 */
export interface SessionSummary {
  readonly sessionId: string;
  readonly startedAt: number;
  readonly lastAt: number;
  readonly lastSeq: number;
  readonly runs: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly firstPrompt?: string;
}

/**
 * The append-only log of what happened. `seq` and `time` are given here, never by a backend.
 *
 * A stream is what has one `seq`, from 1 and without gaps: the session, where a run is of one, else the run itself.
 * `testEventLog` of `@bridle/conformance` states what holds of every record.
 *
 * Contract: `append` is synchronous and has taken the event when it returns, or throws and has not. It may change text
 * that is a credential; what it returns is what is on record. The end of a run is taken even where it throws, as soon
 * as it can be.
 */
export interface EventLog {
  /**
   * Takes a session, so that nobody else writes it until its next run has ended, or what is returned is called. Throws
   * StoreBusyError where somebody has it. Missing where a record has one writer.
   */
  claim?(sessionId: string): () => void;
  append(place: RunScope, draft: EventDraft, options?: AppendOptions): RunEvent;
  /** In their order; none for a run or a session that is not known. */
  events(query: EventQuery): readonly RunEvent[];
  /** Newest first; of one session, and the newest only, where that is asked for. */
  runs(query?: { readonly sessionId?: string; readonly last?: number }): readonly RunSummary[];
  /** The one whose newest event is newest comes first. */
  sessions(): readonly SessionSummary[];
  /** Takes a session and its runs off the record. Without effect for one that is not known. */
  removeSession(sessionId: string): void;
  /** Keeps a content whole, but for credentials in it, and returns its id: the SHA-256 of the bytes that are kept. */
  putArtifact(content: string): string;
  artifact(id: string): string | undefined;
  /** Where questions are answered from elsewhere. A record without one has its questions answered where they are put. */
  readonly approvals?: ApprovalStore;
}
