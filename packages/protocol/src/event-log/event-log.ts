import type { ApprovalStore } from "../approvals/approval-answers.ts";
import type { EventDraft, EventScope, RunEvent } from "../events/events.ts";
import type { SharedLimits } from "./shared-limits.ts";

/** The run that an event belongs to, and the run's session if it has one. */
export type RunScope = Pick<EventScope, "runId" | "sessionId">;

/** A stream of events: a session with all its runs, or a run without a session. */
export type StreamScope = { readonly sessionId: string } | { readonly runId: string };

/** The characters of a text from `start` to `end`. */
export interface Excerpt {
  readonly whole: string;
  readonly start: number;
  readonly end: number;
}

export interface AppendOptions {
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
  /** The newest run. Missing for a fork without a run. */
  readonly newest?: {
    readonly runId: string;
    readonly ended: boolean;
    readonly backend: string;
    readonly model: string;
    /** Set if a tool call of another run started it. */
    readonly nested?: true;
  };
  /** The run that started the newest nested run of this session. It stays if the user continues the session. */
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

/** A part of an artifact that was redacted before. It is not searched again. */
export interface LoggedText {
  readonly logged: string;
}

/** A text, or its pieces in order. A piece that was redacted before consists of whole JSON values. */
export type ArtifactContent = string | readonly (string | LoggedText)[];

/** The condensed events of a session up to a `seq`. A long session continues from a snapshot without reading these events. */
export interface SessionSnapshot {
  /** The `seq` of the snapshot that this one continues. 0 if it stands alone. */
  readonly after: number;
  /** The newest event that it includes. */
  readonly seq: number;
  /** Comes from logged events, and contains no credential that they do not contain. Only the code that writes it knows its form. */
  readonly content: string;
}

/** Selects runs, newest first. */
export interface RunQuery {
  /** Only the runs of this session. */
  readonly sessionId?: string;
  /** Return only the newest runs, at most this many. */
  readonly last?: number;
  /** Only the runs after this one in the list, for the next page. Empty if this run is not in the log any more. */
  readonly after?: RunScope;
}

/** Selects sessions. The session with the newest event comes first. Sessions with the same time are ordered by id. */
export interface SessionQuery {
  /** Return only the newest sessions, at most this many. */
  readonly last?: number;
  /**
   * Only the sessions after this place in the list, for the next page. The place may be of a session that has changed or
   * is gone.
   */
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
  /**
   * Resolves when everything that was appended so far survives a power cut. Rejects with a StoreError if it could not be
   * written.
   */
  durable(): Promise<void>;
  /**
   * Writes the events in memory, and lets others write the stream. Never rejects: `durable` reports failures. From the
   * call on, `append` and `putArtifact` throw a StoreError.
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
   * Takes the lease of a stream. Ends the runs that an earlier owner left open if the lease of that owner is over.
   *
   * @throws StoreBusyError if another writer has the stream. `holder` describes it.
   */
  openWriter(stream: StreamScope): Promise<EventWriter>;
  /** Events in order; empty if the run or session is not known. Includes everything appended by this process. */
  read(query: EventQuery): Promise<readonly RunEvent[]>;
  /**
   * Yields the events of a query as they are written, from `from` on. Events of this process arrive at once, those of
   * other processes within 300 ms. Ends with the end of the run or, for a session, when the signal is aborted. Ends the
   * runs of processes that die meanwhile.
   */
  follow(query: StreamScope & { readonly from?: number }, signal: AbortSignal): AsyncIterable<RunEvent>;
  /** Runs, newest first. */
  runs(query?: RunQuery): Promise<readonly RunSummary[]>;
  /** Sessions; the session with the newest event comes first. */
  sessions(query?: SessionQuery): Promise<readonly SessionSummary[]>;
  /** Returns the text that `putArtifact` stores for this content, without credentials. Pure. */
  redact(content: ArtifactContent): string;
  /** The snapshots of a session. Each continues the one before; the first stands alone. */
  snapshots(sessionId: string): Promise<readonly SessionSnapshot[]>;
  /**
   * Stores a snapshot. It either continues the newest one, or stands alone and replaces all others. Resolves with false,
   * without effect, if another snapshot is the newest now, or if the log does not have all of its events.
   */
  addSnapshot(sessionId: string, snapshot: SessionSnapshot): Promise<boolean>;
  /**
   * Removes a session with its runs and snapshots. Has no effect if the session is not known.
   *
   * @throws StoreBusyError if it has a writer.
   */
  removeSession(sessionId: string): Promise<void>;
  /** A text that was stored under this id. */
  artifact(id: string): Promise<string | undefined>;
  /** Accepts answers from other processes. If missing, only the approver of the run can answer. */
  readonly approvals?: ApprovalStore;
  /** Shares used-up usage windows with other processes. If missing, each machine discovers them by itself. */
  readonly limits?: SharedLimits;
}
