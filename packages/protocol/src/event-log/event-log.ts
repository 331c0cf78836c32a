import type { ApprovalStore } from "../approvals/approval-answers.ts";
import type { EventDraft, EventScope, RunEvent } from "../events/events.ts";

/** The run that an event belongs to, and the run's session if it has one. */
export type RunScope = Pick<EventScope, "runId" | "sessionId">;

/** The characters of a text from `start` to `end`. */
export interface Excerpt {
  readonly whole: string;
  readonly start: number;
  readonly end: number;
}

export interface AppendOptions {
  /** Whether the event must survive a power cut once `append` has returned. Default: false. */
  durable?: boolean;
  /** The parts of a longer text that the event's output shows, in order. A credential that a part cuts is redacted, too. */
  excerpts?: readonly Excerpt[] | undefined;
}

/** Selects events of one run or one session. */
export type EventQuery = ({ readonly runId: string } | { readonly sessionId: string }) & {
  /** The first `seq` to return. Default: 1. */
  readonly from?: number;
  /** Return only the newest events, at most this many. */
  readonly last?: number;
  /** Return only the first events, at most this many. Applied after `last`. */
  readonly limit?: number;
  /** Leave out `text.delta` and `reasoning.delta`, which are most of the events. */
  readonly withoutDeltas?: boolean;
};

/** A run in the log. */
export interface RunSummary {
  readonly runId: string;
  readonly sessionId?: string;
  /** The time of the first event, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly ended: boolean;
}

/** A session in the log. Times are in milliseconds since the epoch. */
export interface SessionSummary {
  readonly sessionId: string;
  /** The time of the first event. */
  readonly startedAt: number;
  /** The time of the newest event. */
  readonly lastAt: number;
  /** The newest `seq`, which is also the number of events. */
  readonly lastSeq: number;
  readonly runs: number;
  /** The labels of the newest run. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The beginning of the user's first text, at most 200 characters. */
  readonly firstPrompt?: string;
}

/**
 * The append-only log of everything that happens. The log sets `seq` and `time`; a backend never does.
 *
 * Events form streams. A session is one stream with all its runs; a run without a session is a stream too. In each stream,
 * `seq` counts from 1 without gaps. `testEventLog` of `@bridle/conformance` checks an implementation.
 *
 * Contract: `append` is synchronous. When it returns, the event is in the log; if it throws, the event is not. It may
 * redact credentials, so use the returned event. The end of a run is written later if it cannot be written at once.
 */
export interface EventLog {
  /**
   * Reserves a session for one writer, until its next run has ended or the returned function is called. Leave it out if
   * the log has only one writer.
   *
   * @throws StoreBusyError if another writer has the session.
   */
  claim?(sessionId: string): () => void;
  append(scope: RunScope, draft: EventDraft, options?: AppendOptions): RunEvent;
  /** Events in order; empty if the run or session is not known. */
  events(query: EventQuery): readonly RunEvent[];
  /** Runs, newest first. `sessionId` limits them to one session, `last` to the newest. */
  runs(query?: { readonly sessionId?: string; readonly last?: number }): readonly RunSummary[];
  /** Sessions; the session with the newest event comes first. */
  sessions(): readonly SessionSummary[];
  /** Removes a session and its runs. Has no effect if the session is not known. */
  removeSession(sessionId: string): void;
  /** Stores a text after redacting credentials. Returns its id: the SHA-256 of the stored bytes. */
  putArtifact(content: string): string;
  artifact(id: string): string | undefined;
  /** Accepts answers from other processes. If missing, only the approver of the run can answer. */
  readonly approvals?: ApprovalStore;
}
