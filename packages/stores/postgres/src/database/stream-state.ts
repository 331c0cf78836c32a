/** The state of a stream as its writer knows it. Only the stream's owner writes it, so the writer never has to read the state again. */
import type { RunEvent, RunScope, SessionOutline, StreamScope } from "@bridle/protocol";
import type { SendStatement } from "./log-database.ts";

export interface StreamKey {
  readonly kind: "session" | "run";
  readonly name: string;
}

/** The state of a stream in the database. */
export interface StreamState {
  readonly id: number;
  readonly key: StreamKey;
  readonly lastSeq: number;
  /** The database ids of runs that have not ended, by their run id. */
  readonly openRuns: ReadonlyMap<string, number>;
  /** The facts that a list of sessions shows. Missing for a run without a session. */
  readonly session?: StoredSession;
}

export interface StoredSession {
  /** The time of the first event, if there is one. */
  readonly startedAt?: number;
  readonly runs: number;
  readonly outline: SessionOutline;
}

export function keyOf(scope: StreamScope): StreamKey {
  return "sessionId" in scope ? { kind: "session", name: scope.sessionId } : { kind: "run", name: scope.runId };
}

/** Returns the name of a stream, with its kind: a session and a run may have the same id. */
export function nameOfKey({ kind, name }: StreamKey): string {
  return `${kind} ${name}`;
}

export function scopeOf({ kind, name }: StreamKey, runId: string): RunScope {
  return kind === "session" ? { runId, sessionId: name } : { runId };
}

/** Reads the state of a stream. Call it in a transaction that has locked the stream. */
export async function loadStreamState(send: SendStatement, id: number, key: StreamKey): Promise<StreamState> {
  const [newest] = await send("SELECT max(seq) AS seq FROM events WHERE stream = $1", [id]);
  const open = await send("SELECT id, name FROM runs WHERE stream = $1 AND last_seq IS NULL ORDER BY id", [id]);
  const state = {
    id,
    key,
    lastSeq: Number(newest?.seq ?? 0),
    openRuns: new Map(open.map((row) => [String(row.name), Number(row.id)])),
  };
  if (key.kind === "run") return state;
  const [row] = await send("SELECT started_at, runs, outline FROM sessions WHERE stream = $1", [id]);
  if (row === undefined) return { ...state, session: { runs: 0, outline: {} } };
  const outline: SessionOutline = JSON.parse(String(row.outline));
  return { ...state, session: { startedAt: Number(row.started_at), runs: Number(row.runs), outline } };
}

/** Returns the fields of an event as JSON, because PostgreSQL's text columns cannot contain all characters. */
export function storedFieldsOf({
  seq: _seq,
  time: _time,
  runId: _runId,
  sessionId: _sessionId,
  type: _type,
  ...own
}: RunEvent) {
  return JSON.stringify(own);
}
