import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import {
  describeSession,
  type EventLog,
  type EventQuery,
  type RunEvent,
  type RunSummary,
  type SessionSummary,
} from "@bridle/protocol";

import { toldFormat, versionOf } from "./schema.ts";

type Row = Record<string, unknown>;

/** Part of a stream: all of it, or what one run wrote. */
interface Selection {
  readonly stream: number;
  readonly sessionId?: string;
  readonly run?: number;
  /** Nothing that is wanted stands before or after these. */
  readonly first: number;
  readonly last: number;
}

export type Reader = Pick<EventLog, "events" | "runs" | "sessions"> & {
  /** The events of one run, one after another, so that they need not fit into memory. */
  eventsOfRun(stream: number, runId: string): Iterable<RunEvent>;
  /** Questions and answers: all, or those of a session; each stream in its order. */
  approvalEvents(sessionId?: string): readonly RunEvent[];
};

/** Reads what is on disk. Nothing is read but what was asked for. */
export function createReader(database: DatabaseSync): Reader {
  const byName = database.prepare("SELECT id FROM streams WHERE kind = ? AND name = ?");
  const runsByName = database.prepare(
    "SELECT r.id, r.stream, r.first_seq, r.last_seq, s.kind, s.name FROM runs r JOIN streams s ON s.id = r.stream WHERE r.name = ? ORDER BY r.id DESC",
  );

  const told = versionOf(database) >= toldFormat ? "INDEXED BY told_events" : ""; // else an older file, read only

  function select(query: EventQuery): Selection | undefined {
    if ("sessionId" in query) {
      const row = byName.get("session", query.sessionId);
      return row && { ...wholeStream, stream: Number(row.id), sessionId: query.sessionId };
    }
    const row = runsByName.get(query.runId);
    return row && selectionOf(row);
  }

  function read(selection: Selection, query: Omit<EventQuery, "runId">): Iterable<RunEvent> {
    const { stream, run, sessionId, first, last } = selection;
    const { last: newest, limit, withoutDeltas = false } = query;
    const values: SQLInputValue[] = [stream, Math.max(first, query.from ?? 1), last];
    if (run !== undefined) values.push(run);
    const sql = `SELECT e.seq, e.time, e.type, e.fields, r.name AS runId FROM events e ${withoutDeltas ? told : ""} JOIN runs r ON r.id = e.run
      WHERE e.stream = ? AND e.seq BETWEEN ? AND ? ${run === undefined ? "" : "AND e.run = ?"}
      ${withoutDeltas ? "AND e.type NOT IN ('text.delta', 'reasoning.delta')" : ""}
      ORDER BY e.seq ${newest === undefined ? "" : "DESC"} LIMIT ?`;
    const rows = database.prepare(sql).iterate(...values, newest ?? limit ?? -1);
    return events(rows, sessionId);
  }

  /** Not the history that a session begins with, which has the place of a run. */
  const isRun = `NOT EXISTS (SELECT 1 FROM events e
    WHERE e.stream = r.stream AND e.seq = r.first_seq AND e.type = 'history.replaced')`;

  return {
    events(query) {
      const selection = select(query);
      if (selection === undefined) return [];
      const found = [...read(selection, query)];
      return query.last === undefined ? found : found.reverse().slice(0, query.limit);
    },
    eventsOfRun(stream, runId) {
      const row = runsByName.all(runId).find((each) => each.stream === stream);
      return row === undefined ? [] : read(selectionOf(row), {});
    },
    approvalEvents(sessionId) {
      const sql = `SELECT e.seq, e.time, e.type, e.fields, r.name AS runId, s.kind, s.name
        FROM events e JOIN runs r ON r.id = e.run JOIN streams s ON s.id = e.stream
        WHERE e.type IN ('approval.requested', 'approval.decided')
        ${sessionId === undefined ? "" : "AND s.kind = 'session' AND s.name = ?"} ORDER BY e.stream, e.seq`;
      const rows = database.prepare(sql).all(...(sessionId === undefined ? [] : [sessionId]));
      return rows.flatMap((row) => [...events([row], row.kind === "session" ? String(row.name) : undefined)]);
    },
    runs({ sessionId, last = -1 } = {}) {
      const where = sessionId === undefined ? "" : "AND s.kind = 'session' AND s.name = ?";
      const values = sessionId === undefined ? [last] : [sessionId, last];
      const sql = `SELECT r.name, r.started_at, r.last_seq, s.kind, s.name AS stream FROM runs r
        JOIN streams s ON s.id = r.stream WHERE ${isRun} ${where} ORDER BY r.id DESC LIMIT ?`;
      return database
        .prepare(sql)
        .all(...values)
        .map(runOf);
    },
    sessions() {
      const sql = `SELECT s.name,
          (SELECT time FROM events WHERE stream = s.id ORDER BY seq LIMIT 1) AS started_at,
          (SELECT time FROM events WHERE stream = s.id ORDER BY seq DESC LIMIT 1) AS last_at,
          (SELECT max(seq) FROM events WHERE stream = s.id) AS last_seq,
          (SELECT count(*) FROM runs r WHERE r.stream = s.id AND ${isRun}) AS runs,
          (SELECT e.fields FROM runs r JOIN events e ON e.stream = r.stream AND e.seq = r.first_seq
            WHERE r.stream = s.id AND e.type = 'run.started' ORDER BY r.id DESC LIMIT 1) AS newest_start,
          (SELECT fields FROM events WHERE stream = s.id AND type = 'model.input' ORDER BY seq LIMIT 1) AS first_input
        FROM streams s WHERE s.kind = 'session' AND last_seq IS NOT NULL ORDER BY last_at DESC, s.id DESC`;
      return database.prepare(sql).all().map(sessionOf);
    },
  };
}

const wholeStream = { first: 1, last: Number.MAX_SAFE_INTEGER };

function selectionOf(row: Row): Selection {
  const isSession = row.kind === "session";
  return {
    stream: Number(row.stream),
    ...(isSession && { sessionId: String(row.name), run: Number(row.id) }),
    first: Number(row.first_seq),
    last: row.last_seq === null ? wholeStream.last : Number(row.last_seq),
  };
}

function* events(rows: Iterable<Row>, sessionId: string | undefined): Generator<RunEvent> {
  for (const { seq, time, type, fields, runId } of rows) {
    const place = { seq: Number(seq), time: Number(time), runId: String(runId) };
    const own: object = JSON.parse(String(fields));
    yield { ...place, ...(sessionId !== undefined && { sessionId }), type, ...own } as RunEvent; // was one when it was written
  }
}

function runOf({ name, started_at, last_seq, kind, stream }: Row): RunSummary {
  return {
    runId: String(name),
    ...(kind === "session" && { sessionId: String(stream) }),
    startedAt: Number(started_at),
    ended: last_seq !== null,
  };
}

function sessionOf({ name, started_at, last_at, last_seq, runs, newest_start, first_input }: Row): SessionSummary {
  return {
    sessionId: String(name),
    startedAt: Number(started_at),
    lastAt: Number(last_at),
    lastSeq: Number(last_seq),
    runs: Number(runs),
    ...describeSession(fieldsOf(newest_start), fieldsOf(first_input)),
  };
}

/** Of an event of the type that the query asked for, which was one when it was written. */
function fieldsOf<T>(fields: unknown): T | undefined {
  return typeof fields === "string" ? JSON.parse(fields) : undefined;
}
