import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { formatVersion } from "@bridle/core";
import {
  type EventQuery,
  omitUndefined,
  type RunEvent,
  type RunQuery,
  type RunScope,
  type RunSummary,
  type SessionOutline,
  type SessionQuery,
  type SessionSummary,
  type StreamScope,
} from "@bridle/protocol";
import { approvalsFormat, sessionRowsFormat, withoutDeltasFormat } from "../files/schema.ts";
import { parseOutline, readOutline } from "../files/session-rows.ts";

type Row = Record<string, unknown>;

/** A whole stream, or the events of one run in it. */
interface Selection {
  readonly stream: number;
  readonly sessionId?: string | undefined;
  readonly run?: number | undefined;
  /** The first and the last `seq` that can match. */
  readonly first: number;
  readonly last: number;
}

const wholeStream = { first: 1, last: Number.MAX_SAFE_INTEGER };

/** Leaves out the initial history of a session, which is stored like a run. */
const isRun = `NOT EXISTS (SELECT 1 FROM events e
  WHERE e.stream = r.stream AND e.seq = r.first_seq AND e.type = 'history.replaced')`;

/** SQL that lists sessions from their events, because a file of an older format has no session rows and is not migrated. */
const sessionsOfOlderFormat = `(SELECT s.id, s.name,
    (SELECT time FROM events WHERE stream = s.id ORDER BY seq LIMIT 1) AS started_at,
    (SELECT time FROM events WHERE stream = s.id ORDER BY seq DESC LIMIT 1) AS last_at,
    (SELECT max(seq) FROM events WHERE stream = s.id) AS last_seq,
    (SELECT count(*) FROM runs r WHERE r.stream = s.id AND ${isRun}) AS runs
  FROM streams s WHERE s.kind = 'session' AND last_seq IS NOT NULL)`;

/** Reads events, runs and sessions from disk. Each query reads only its own rows. */
export class Reader {
  readonly #database: DatabaseSync;
  readonly #streamByName: StatementSync;
  readonly #runsByName: StatementSync;
  /** The index hints are empty for an older format, which has no such indexes. */
  readonly #withoutDeltasIndex: string;
  readonly #approvalsIndex: string;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#streamByName = database.prepare("SELECT id FROM streams WHERE kind = ? AND name = ?");
    this.#runsByName = database.prepare(
      "SELECT r.id, r.stream, r.first_seq, r.last_seq, s.kind, s.name FROM runs r JOIN streams s ON s.id = r.stream WHERE r.name = ? ORDER BY r.id DESC",
    );
    const format = formatVersion(database);
    this.#withoutDeltasIndex = format >= withoutDeltasFormat ? "INDEXED BY events_without_deltas" : "";
    this.#approvalsIndex = format >= approvalsFormat ? "INDEXED BY approval_events" : "";
  }

  events(query: EventQuery): readonly RunEvent[] {
    const selection = this.#select(query);
    if (selection === undefined) return [];
    const found = [...this.#read(selection, query)];
    return query.last === undefined ? found : found.reverse().slice(0, query.limit);
  }

  /** Reads the events of one run, one after another, so that they need not fit in memory. */
  eventsOfRun(stream: number, runId: string): Iterable<RunEvent> {
    const row = this.#runsByName.all(runId).find((each) => each.stream === stream);
    return row === undefined ? [] : this.#read(toSelection(row), {});
  }

  /** Reads the questions and answers of all streams or of one session, in each stream's order. */
  approvalEvents(stream?: StreamScope): readonly RunEvent[] {
    const [kind, name] = stream && "sessionId" in stream ? ["session", stream.sessionId] : ["run", stream?.runId ?? ""];
    const sql = `SELECT e.seq, e.time, e.type, e.fields, r.name AS runId, s.kind, s.name
      FROM events e ${this.#approvalsIndex} JOIN runs r ON r.id = e.run JOIN streams s ON s.id = e.stream
      WHERE e.type IN ('approval.requested', 'approval.decided')
      ${stream === undefined ? "" : "AND e.stream = (SELECT id FROM streams WHERE kind = ? AND name = ?)"}
      ORDER BY e.stream, e.seq`;
    const rows = this.#database.prepare(sql).all(...(stream === undefined ? [] : [kind, name]));
    return rows.flatMap((row) => [...toEvents([row], row.kind === "session" ? String(row.name) : undefined)]);
  }

  runs({ sessionId, last = -1, after }: RunQuery = {}): readonly RunSummary[] {
    const ofSession = "AND r.stream = (SELECT id FROM streams WHERE kind = 'session' AND name = ?)";
    const condition = `${sessionId === undefined ? "" : ofSession} ${after === undefined ? "" : `AND r.id < ${idOfRun}`}`;
    const position = after === undefined ? [] : [after.runId, ...nameOf(after)];
    const values = [...(sessionId === undefined ? [] : [sessionId]), ...position, last];
    const sql = `SELECT r.name, r.started_at, r.last_seq, s.kind, s.name AS stream FROM runs r
      JOIN streams s ON s.id = r.stream WHERE ${isRun} ${condition} ORDER BY r.id DESC LIMIT ?`;
    return this.#database
      .prepare(sql)
      .all(...values)
      .map(toRunSummary);
  }

  sessions(query: SessionQuery = {}): readonly SessionSummary[] {
    const { last = -1, after } = query;
    const hasRows = formatVersion(this.#database) >= sessionRowsFormat;
    const page = after === undefined ? "" : "WHERE last_at <= ?1 AND (last_at < ?1 OR name < ?2)";
    const sql = `SELECT * FROM ${hasRows ? "sessions JOIN streams ON id = stream" : sessionsOfOlderFormat} ${page}
      ORDER BY last_at DESC, name DESC LIMIT ?`;
    const position = after === undefined ? [] : [after.lastAt, after.sessionId];
    const rows = this.#database.prepare(sql).all(...position, last);
    const outlineOf = ({ id, outline }: Row) =>
      hasRows ? parseOutline(outline) : readOutline(this.#database, Number(id));
    return rows.map((row) => toSessionSummary(row, outlineOf(row)));
  }

  #select(query: EventQuery): Selection | undefined {
    if ("sessionId" in query) {
      const row = this.#streamByName.get("session", query.sessionId);
      return row && { ...wholeStream, stream: Number(row.id), sessionId: query.sessionId };
    }
    const row = this.#runsByName.get(query.runId);
    return row && toSelection(row);
  }

  #read(selection: Selection, query: Omit<EventQuery, "runId">): Iterable<RunEvent> {
    const { stream, run, sessionId, first, last } = selection;
    const { last: newest, limit, withoutDeltas = false } = query;
    const values: SQLInputValue[] = [stream, Math.max(first, query.from ?? 1), last];
    if (run !== undefined) values.push(run);
    const sql = `SELECT e.seq, e.time, e.type, e.fields, r.name AS runId
      FROM events e ${withoutDeltas ? this.#withoutDeltasIndex : ""} JOIN runs r ON r.id = e.run
      WHERE e.stream = ? AND e.seq BETWEEN ? AND ? ${run === undefined ? "" : "AND e.run = ?"}
      ${withoutDeltas ? "AND e.type NOT IN ('text.delta', 'reasoning.delta') AND e.type <> 'input.delta'" : ""}
      ORDER BY e.seq ${newest === undefined ? "" : "DESC"} LIMIT ?`;
    const rows = this.#database.prepare(sql).iterate(...values, newest ?? limit ?? -1);
    return toEvents(rows, sessionId);
  }
}

/** SQL for the id of a run, by its name and the kind and name of its stream. */
const idOfRun = `(SELECT max(a.id) FROM runs a JOIN streams t ON t.id = a.stream
  WHERE a.name = ? AND t.kind = ? AND t.name = ?)`;

function nameOf({ runId, sessionId }: RunScope): readonly [kind: string, name: string] {
  return sessionId === undefined ? ["run", runId] : ["session", sessionId];
}

function toSelection(row: Row): Selection {
  const isSession = row.kind === "session";
  return {
    stream: Number(row.stream),
    sessionId: isSession ? String(row.name) : undefined,
    run: isSession ? Number(row.id) : undefined,
    first: Number(row.first_seq),
    last: row.last_seq === null ? wholeStream.last : Number(row.last_seq),
  };
}

function* toEvents(rows: Iterable<Row>, sessionId: string | undefined): Generator<RunEvent> {
  for (const { seq, time, type, fields, runId } of rows) {
    const own: object = JSON.parse(String(fields));
    const position = { seq: Number(seq), time: Number(time), runId: String(runId) };
    const event = sessionId === undefined ? { ...position, type, ...own } : { ...position, sessionId, type, ...own };
    yield event as RunEvent; // the writer stored a RunEvent
  }
}

function toRunSummary({ name, started_at, last_seq, kind, stream }: Row): RunSummary {
  return omitUndefined({
    runId: String(name),
    sessionId: kind === "session" ? String(stream) : undefined,
    startedAt: Number(started_at),
    ended: last_seq !== null,
  });
}

function toSessionSummary(row: Row, outline: SessionOutline): SessionSummary {
  return {
    sessionId: String(row.name),
    startedAt: Number(row.started_at),
    lastAt: Number(row.last_at),
    lastSeq: Number(row.last_seq),
    runs: Number(row.runs),
    ...outline,
  };
}
