import { addToOutline, type RunEvent } from "@bridle/protocol";
import type { SendStatement } from "../database/log-database.ts";
import type { StoredSession, StreamState } from "../database/stream-state.ts";

/** An event with its fields as JSON. */
export interface StoredEvent {
  readonly event: RunEvent;
  readonly fields: string;
}

/** A run of the events that are written. */
interface WrittenRun {
  readonly id: number;
  readonly firstSeq: number;
  readonly isRun: boolean;
  /** Whether the run had ended before these events. */
  readonly hasEnded: boolean;
}

/**
 * Writes the next events of a stream, and returns its new state. Writing the same events again has no effect, so a transaction can be
 * repeated if it is unknown whether its first attempt was committed. Call it in a transaction that holds the stream's lease.
 */
export async function writeEvents(
  send: SendStatement,
  state: StreamState,
  stored: readonly StoredEvent[],
): Promise<StreamState> {
  const events = stored.map(({ event }) => event);
  const last = events.at(-1);
  if (last === undefined) return state;
  const runs = await addRuns(send, state, events);
  await insertEvents(send, state.id, stored, runs);
  await endRuns(send, state.id, events, runs);
  await dropAnswers(send, events);
  const openRuns = openAfter(state.openRuns, events, runs);
  const session = state.session && addToSession(state.session, events, runs);
  if (session) await writeSession(send, state.id, session, last);
  return { ...state, lastSeq: last.seq, openRuns, ...(session && { session }) };
}

/** Adds missing runs of the events, and returns the runs by their run id. The initial history of a session is a run that has ended. */
async function addRuns(
  send: SendStatement,
  { id: stream, openRuns }: StreamState,
  events: readonly RunEvent[],
): Promise<ReadonlyMap<string, WrittenRun>> {
  const runs = new Map<string, WrittenRun>();
  for (const { runId, type, time, seq } of events) {
    if (runs.has(runId)) continue;
    const known = openRuns.get(runId);
    if (known !== undefined) {
      runs.set(runId, { id: known, firstSeq: 0, isRun: true, hasEnded: false });
      continue;
    }
    const isRun = type !== "history.replaced";
    await send(
      `INSERT INTO runs (stream, name, is_run, started_at, first_seq, last_seq) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (stream, name) DO NOTHING`,
      [stream, runId, isRun, time, seq, isRun ? null : seq],
    );
    const [row] = await send("SELECT id, is_run, first_seq, last_seq FROM runs WHERE stream = $1 AND name = $2", [
      stream,
      runId,
    ]);
    const isStored = row?.last_seq !== null && !events.some((each) => isEndOf(runId, each)); // an earlier try has stored it
    const written = { id: Number(row?.id), firstSeq: Number(row?.first_seq), isRun: row?.is_run === true };
    runs.set(runId, { ...written, hasEnded: isStored || !written.isRun });
  }
  return runs;
}

function isEndOf(runId: string, event: RunEvent): boolean {
  return event.type === "run.finished" && event.runId === runId;
}

async function insertEvents(
  send: SendStatement,
  stream: number,
  stored: readonly StoredEvent[],
  runs: ReadonlyMap<string, WrittenRun>,
): Promise<void> {
  const columns = [
    stored.map(({ event }) => event.seq),
    stored.map(({ event }) => runs.get(event.runId)?.id),
    stored.map(({ event }) => event.time),
    stored.map(({ event }) => event.type),
    stored.map(({ fields }) => fields),
  ];
  await send(
    `INSERT INTO events (stream, seq, run, time, type, fields)
     SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::float8[], $5::text[], $6::text[])
     ON CONFLICT (stream, seq) DO NOTHING`,
    [stream, ...columns],
  );
}

/** Marks runs as ended, with their last event. A late event, such as an answer after the run has ended, becomes the last event. */
async function endRuns(
  send: SendStatement,
  stream: number,
  events: readonly RunEvent[],
  runs: ReadonlyMap<string, WrittenRun>,
): Promise<void> {
  for (const [runId, seq] of endsOf(events, runs)) {
    await send("UPDATE runs SET last_seq = $1 WHERE stream = $2 AND id = $3", [seq, stream, runs.get(runId)?.id]);
  }
}

/** Returns the newest event of each run that has ended with these events or before them. */
function endsOf(events: readonly RunEvent[], runs: ReadonlyMap<string, WrittenRun>): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const { runId, seq, type } of events) {
    if (type === "run.finished" || ends.has(runId) || runs.get(runId)?.hasEnded) ends.set(runId, seq);
  }
  return ends;
}

function openAfter(
  before: ReadonlyMap<string, number>,
  events: readonly RunEvent[],
  runs: ReadonlyMap<string, WrittenRun>,
): ReadonlyMap<string, number> {
  const open = new Map(before);
  for (const [runId, { id, hasEnded }] of runs) if (!hasEnded) open.set(runId, id);
  for (const runId of endsOf(events, runs).keys()) open.delete(runId);
  return open;
}

/** Removes the answers whose outcome is now in the log. */
async function dropAnswers(send: SendStatement, events: readonly RunEvent[]): Promise<void> {
  const decided = events.flatMap((event) => (event.type === "approval.decided" ? [event.approvalId] : []));
  if (decided.length > 0) await send("DELETE FROM answers WHERE approval = ANY($1::text[])", [decided]);
}

function addToSession(
  { startedAt, runs, outline }: StoredSession,
  events: readonly RunEvent[],
  written: ReadonlyMap<string, WrittenRun>,
): StoredSession {
  const isFirst = ({ runId, seq }: RunEvent) => written.get(runId)?.firstSeq === seq && written.get(runId)?.isRun;
  return {
    startedAt: startedAt ?? events[0]?.time ?? 0,
    runs: runs + events.filter(isFirst).length,
    outline: events.reduce(addToOutline, outline),
  };
}

async function writeSession(
  send: SendStatement,
  stream: number,
  { startedAt, runs, outline }: StoredSession,
  { time, seq }: RunEvent,
): Promise<void> {
  await send(
    `INSERT INTO sessions (stream, started_at, last_at, last_seq, runs, outline) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (stream) DO UPDATE SET last_at = excluded.last_at, last_seq = excluded.last_seq,
       runs = excluded.runs, outline = excluded.outline`,
    [stream, startedAt, time, seq, runs, JSON.stringify(outline)],
  );
}
