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
import type { QueryResultRow } from "pg";
import type { SendStatement } from "../database/log-database.ts";
import { keyOf } from "../database/stream-state.ts";

/** A whole stream, or the events of one run in it. */
interface SelectedEvents {
  readonly stream: number;
  readonly sessionId: string | undefined;
  /** The id of the run; undefined for a whole stream. */
  readonly run: number | undefined;
  /** The first and the last `seq` that can match. */
  readonly first: number;
  readonly last: number | undefined;
}

/** Reads the events that a query selects, in order. */
export async function readStoredEvents(send: SendStatement, query: EventQuery): Promise<readonly RunEvent[]> {
  const selected =
    "sessionId" in query ? await selectSession(send, query.sessionId) : await selectRun(send, query.runId);
  if (selected === undefined) return [];
  const { stream, sessionId, run, first, last } = selected;
  const { last: newest, limit, withoutDeltas = false } = query;
  const rows = await send(
    `SELECT e.seq, e.time, e.type, e.fields, r.name AS run_name FROM events e JOIN runs r ON r.id = e.run
     WHERE e.stream = $1 AND e.seq >= $2 AND ($3::bigint IS NULL OR e.seq <= $3) AND ($4::bigint IS NULL OR e.run = $4)
     ${withoutDeltas ? "AND e.type NOT IN ('text.delta', 'reasoning.delta') AND e.type <> 'input.delta'" : ""}
     ORDER BY e.seq ${newest === undefined ? "" : "DESC"} LIMIT $5`,
    [stream, Math.max(first, query.from ?? 1), last ?? null, run ?? null, newest ?? limit ?? null],
  );
  const events = rows.map((row) => toStoredEvent(row, omitUndefined({ runId: String(row.run_name), sessionId })));
  return newest === undefined ? events : events.reverse().slice(0, limit);
}

/** Reads the questions and answers of all streams or of one session, in each stream's order. */
export async function readApprovalEvents(send: SendStatement, stream?: StreamScope): Promise<readonly RunEvent[]> {
  const key = stream && keyOf(stream);
  const rows = await send(
    `SELECT e.seq, e.time, e.type, e.fields, r.name AS run_name, s.kind, s.name
     FROM events e JOIN runs r ON r.id = e.run JOIN streams s ON s.id = e.stream
     WHERE e.type IN ('approval.requested', 'approval.decided')
     AND ($1::text IS NULL OR (s.kind = $1 AND s.name = $2)) ORDER BY e.stream, e.seq`,
    [key?.kind ?? null, key?.name ?? null],
  );
  return rows.map((row) => {
    const session = row.kind === "session" ? String(row.name) : undefined;
    return toStoredEvent(row, omitUndefined({ runId: String(row.run_name), sessionId: session }));
  });
}

/** SQL for the id of a run, by its name and the name of its session, if it has one. */
const idOfRun = `(SELECT max(a.id) FROM runs a JOIN streams t ON t.id = a.stream
  WHERE a.name = $3 AND t.kind = CASE WHEN $4::text IS NULL THEN 'run' ELSE 'session' END AND t.name = coalesce($4, $3))`;

export async function readRuns(send: SendStatement, query: RunQuery = {}): Promise<readonly RunSummary[]> {
  const { sessionId, last, after } = query;
  const rows = await send(
    `SELECT r.name, r.started_at, r.last_seq, s.kind, s.name AS stream FROM runs r JOIN streams s ON s.id = r.stream
     WHERE r.is_run AND ${sessionId === undefined ? "$2::text IS NULL" : "r.stream = (SELECT id FROM streams WHERE kind = 'session' AND name = $2)"}
     ${after === undefined ? "" : `AND r.id < ${idOfRun}`} ORDER BY r.id DESC LIMIT $1`,
    [last ?? null, sessionId ?? null, ...(after === undefined ? [] : [after.runId, after.sessionId ?? null])],
  );
  return rows.map(({ name, started_at, last_seq, kind, stream }) =>
    omitUndefined({
      runId: String(name),
      sessionId: kind === "session" ? String(stream) : undefined,
      startedAt: Number(started_at),
      ended: last_seq !== null,
    }),
  );
}

export async function readSessionRows(
  send: SendStatement,
  query: SessionQuery = {},
): Promise<readonly SessionSummary[]> {
  const { last, after } = query;
  const page = "WHERE last_at <= $2 AND (last_at < $2 OR name < $3)";
  const rows = await send(
    `SELECT name, started_at, last_at, last_seq, runs, outline FROM sessions JOIN streams ON streams.id = stream
     ${after === undefined ? "" : page} ORDER BY last_at DESC, name DESC LIMIT $1`,
    after === undefined ? [last ?? null] : [last ?? null, after.lastAt, after.sessionId],
  );
  return rows.map((row) => {
    const outline: SessionOutline = JSON.parse(String(row.outline));
    return {
      sessionId: String(row.name),
      startedAt: Number(row.started_at),
      lastAt: Number(row.last_at),
      lastSeq: Number(row.last_seq),
      runs: Number(row.runs),
      ...outline,
    };
  });
}

/** Turns a row with the columns seq, time, type and fields into an event. */
export function toStoredEvent({ seq, time, type, fields }: QueryResultRow, scope: RunScope): RunEvent {
  const own: object = JSON.parse(String(fields));
  return { seq: Number(seq), time: Number(time), ...scope, type, ...own } as RunEvent; // the writer stored a RunEvent
}

async function selectSession(send: SendStatement, sessionId: string): Promise<SelectedEvents | undefined> {
  const [row] = await send("SELECT id FROM streams WHERE kind = 'session' AND name = $1", [sessionId]);
  return row && { stream: Number(row.id), sessionId, run: undefined, first: 1, last: undefined };
}

async function selectRun(send: SendStatement, runId: string): Promise<SelectedEvents | undefined> {
  const [row] = await send(
    `SELECT r.id, r.stream, r.first_seq, r.last_seq, s.kind, s.name FROM runs r JOIN streams s ON s.id = r.stream
     WHERE r.name = $1 ORDER BY r.id DESC LIMIT 1`,
    [runId],
  );
  if (row === undefined) return undefined;
  const isSession = row.kind === "session";
  return {
    stream: Number(row.stream),
    sessionId: isSession ? String(row.name) : undefined,
    run: isSession ? Number(row.id) : undefined,
    first: Number(row.first_seq),
    last: row.last_seq === null ? undefined : Number(row.last_seq),
  };
}
