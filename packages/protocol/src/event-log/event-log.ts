import type { ApprovalStore } from "../approvals/approval-answers.ts";
import type { EventDraft, EventScope, RunEvent } from "../events/events.ts";
import type { SharedLimits } from "./shared-limits.ts";

/** The run that an event belongs to, and the run's session if it has one. */
export type RunScope = Pick<EventScope, "runId" | "sessionId">;

/** A stream of events: a session with all its runs, or a run without a session. */
export type StreamScope = { readonly sessionId: string } | { readonly runId: string };

/** The characters of a string from `start` to `end`. */
export interface Excerpt {
  readonly whole: string;
  readonly start: number;
  readonly end: number;
}

export interface AppendOptions {
  /** The parts of a longer text that the event's output shows, in order. With them, a credential that a part cuts off is redacted, too. */
  excerpts?: readonly Excerpt[] | undefined;
}

/** Selects events of one run or one session. */
export type EventQuery = ({ readonly runId: string } | { readonly sessionId: string }) & {
  /** The first `seq` to return. Default: 1. */
  readonly from?: number;
  /** Returns only this many of the newest events. */
  readonly last?: number;
  /** Returns only this many of the first events. Applied after `last`. */
  readonly limit?: number;
  /** Leaves out `text.delta` and `reasoning.delta`, which are most of the events. */
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
  /** The newest run. Missing for a fork without a run. */
  readonly newest?: {
    readonly runId: string;
    readonly ended: boolean;
    readonly backend: string;
    readonly model: string;
    /** Set if a tool call of another run started the run. */
    readonly nested?: true;
  };
  /** The run that started the newest nested run of this session. The value stays if the user continues the session. */
  readonly parentRunId?: string;
  /** The session of that run. */
  readonly parentSessionId?: string;
  /** The session that this one was forked from. */
  readonly forkedFrom?: string;
  /** The labels of the newest run. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The beginning of the first prompt, at most 200 characters. */
  readonly firstPrompt?: string;
}

/** A part of an artifact. The part was redacted before and is not searched again. */
export interface LoggedText {
  readonly logged: string;
}

/** The content of an artifact: a string, or its pieces in order. A piece that was redacted before consists of whole JSON values. */
export type ArtifactContent = string | readonly (string | LoggedText)[];

/** The condensed events of a session up to a `seq`. A long session continues from a snapshot without reading these events. */
export interface SessionSnapshot {
  /** The `seq` of the snapshot that this one continues. 0 if this snapshot stands alone. */
  readonly after: number;
  /** The newest event that the snapshot includes. */
  readonly seq: number;
  /**
   * The content. It is derived from logged events, and contains no credential that those events do not contain. Only the code that writes
   * the content knows its form.
   */
  readonly content: string;
}

/** Selects runs, newest first. */
export interface RunQuery {
  /** Selects only the runs of this session. */
  readonly sessionId?: string;
  /** Returns only this many of the newest runs. */
  readonly last?: number;
  /** Selects only the runs after this one in the list, for the next page. The page is empty if this run is no longer in the log. */
  readonly after?: RunScope;
}

/** Selects sessions. The session with the newest event comes first. Sessions with the same time are ordered by id. */
export interface SessionQuery {
  /** Returns only this many of the newest sessions. */
  readonly last?: number;
  /** Selects only the sessions after this place in the list, for the next page. The session of the place may have changed or be gone. */
  readonly after?: Pick<SessionSummary, "sessionId" | "lastAt">;
}

/**
 * Writes one stream. It is the only writer of the stream until it is closed or its process dies, so it counts `seq`.
 *
 * Contract: `append` never waits. The order of the log is the order of the calls. If an event cannot be written, `append`
 * throws, or `durable` rejects and every later `append` throws. Nothing that follows a missing event is ever written, except
 * the end of a run, which is written as soon as possible.
 */
export interface EventWriter {
  /** Appends an event of a run of this stream, and returns it with credentials redacted: use the returned event. */
  append(runId: string, draft: EventDraft, options?: AppendOptions): RunEvent;
  /** Stores a text after redacting credentials, before the events that follow. Returns its id: the SHA-256 of the stored bytes. */
  putArtifact(content: ArtifactContent): string;
  /** Resolves when all appended events survive a power cut. Rejects with a StoreError if they could not be written. */
  durable(): Promise<void>;
  /**
   * Writes the events that are still in memory, and releases the stream for other writers. Never rejects: `durable` reports failures. From
   * this call on, `append` and `putArtifact` throw a StoreError.
   */
  close(): Promise<void>;
}

/**
 * The append-only log of everything that happens. The log sets `seq` and `time`; a backend never does.
 *
 * Events form streams. A session is one stream with all its runs; a run without a session is a stream too. In each
 * stream, `seq` counts from 1 without gaps. Only the owner of a stream can write it, but everyone can read it. Reading
 * is asynchronous, because a log may be on another machine. `testEventLog` of `@bridle/conformance` checks an
 * implementation.
 */
export interface EventLog {
  /**
   * Takes the lease of a stream. Ends the runs that an earlier owner left open if that owner's lease has expired.
   *
   * @throws StoreBusyError if another writer has the stream. `holder` describes that writer.
   */
  openWriter(stream: StreamScope): Promise<EventWriter>;
  /** Resolves with the events in order, including everything that this process appended. Empty if the run or session is not known. */
  read(query: EventQuery): Promise<readonly RunEvent[]>;
  /**
   * Yields the events of a query as they are written, from `from` on. Events of this process arrive immediately, those of other processes
   * within 300 ms. Ends with the end of the run or, for a session, when the signal is aborted. Ends the runs of processes that have died.
   */
  follow(query: StreamScope & { readonly from?: number }, signal: AbortSignal): AsyncIterable<RunEvent>;
  /** Lists runs, newest first. */
  runs(query?: RunQuery): Promise<readonly RunSummary[]>;
  /** Lists sessions. The session with the newest event comes first. */
  sessions(query?: SessionQuery): Promise<readonly SessionSummary[]>;
  /** Returns the text that `putArtifact` stores for this content, without credentials. Pure. */
  redact(content: ArtifactContent): string;
  /** Resolves with the snapshots of a session. Each continues the previous one; the first stands alone. */
  snapshots(sessionId: string): Promise<readonly SessionSnapshot[]>;
  /**
   * Stores a snapshot. It either continues the newest snapshot, or stands alone and replaces all others. Resolves with false, without
   * effect, if another snapshot is the newest now, or if the log lacks some of the snapshot's events.
   */
  addSnapshot(sessionId: string, snapshot: SessionSnapshot): Promise<boolean>;
  /**
   * Removes a session with its runs and snapshots. Has no effect if the session is not known.
   *
   * @throws StoreBusyError if the session has a writer.
   */
  removeSession(sessionId: string): Promise<void>;
  /** Resolves with the text that was stored under this id. */
  artifact(id: string): Promise<string | undefined>;
  /** Accepts answers from other processes. If missing, only the approver of the run can answer. */
  readonly approvals?: ApprovalStore;
  /** Shares used-up usage windows with other processes. If missing, each process finds out about them by itself. */
  readonly limits?: SharedLimits;
}
