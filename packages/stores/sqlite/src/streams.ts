/** The tables as the writer uses them. Every function is called within a transaction. */
import type { DatabaseSync } from "node:sqlite";
import type { RunEvent, RunScope } from "@bridle/protocol";

export interface Streams {
  idOf(place: RunScope): number;
  lastSeq(stream: number): number;
  /** The run, which is put on record where it is not yet. A history that a session begins with is over at once. */
  run(stream: number, event: RunEvent): { readonly id: number; readonly ended: boolean };
  insert(stream: number, run: number, event: RunEvent, fields: string): void;
  /** From now on the run has ended, with this event as its last. */
  end(run: number, seq: number): void;
  /** The names of the runs of a stream that go on. */
  openRuns(stream: number): readonly string[];
  /** The id of a session, if it is known. */
  findSession(sessionId: string): number | undefined;
  /** Takes all of a stream away, and returns the artifacts that nobody else uses. */
  remove(stream: number): readonly string[];
}

export function createStreams(database: DatabaseSync): Streams {
  const prepare = (sql: string) => database.prepare(sql);
  const addStream = prepare("INSERT OR IGNORE INTO streams (kind, name) VALUES (?, ?)");
  const findStream = prepare("SELECT id FROM streams WHERE kind = ? AND name = ?");
  const newest = prepare("SELECT max(seq) AS seq FROM events WHERE stream = ?");
  const addRun = prepare("INSERT OR IGNORE INTO runs (stream, name, started_at, first_seq) VALUES (?, ?, ?, ?)");
  const findRun = prepare("SELECT id, last_seq IS NOT NULL AS ended FROM runs WHERE stream = ? AND name = ?");
  const addEvent = prepare("INSERT INTO events (stream, seq, run, time, type, fields) VALUES (?, ?, ?, ?, ?, ?)");
  const addArtifact = prepare("INSERT OR IGNORE INTO artifacts (id, stream) VALUES (?, ?)");
  const dropAnswer = prepare("DELETE FROM answers WHERE approval = ?");
  const endRun = prepare("UPDATE runs SET last_seq = ? WHERE id = ?");
  const open = prepare("SELECT name FROM runs WHERE stream = ? AND last_seq IS NULL ORDER BY id");
  const lonely = prepare(
    "SELECT id FROM artifacts a WHERE stream = ? AND NOT EXISTS (SELECT 1 FROM artifacts b WHERE b.id = a.id AND b.stream <> a.stream)",
  );
  const removals = ["answers", "artifacts", "events", "runs", "leases"].map((table) =>
    prepare(`DELETE FROM ${table} WHERE stream = ?`),
  );
  const removeStream = prepare("DELETE FROM streams WHERE id = ?");

  return {
    idOf({ runId, sessionId }) {
      const name = sessionId === undefined ? (["run", runId] as const) : (["session", sessionId] as const);
      addStream.run(...name);
      return Number(findStream.get(...name)?.id);
    },
    lastSeq: (stream) => Number(newest.get(stream)?.seq ?? 0),
    run(stream, { runId, time, seq, type }) {
      const isNew = Number(addRun.run(stream, runId, time, seq).changes) > 0;
      const row = findRun.get(stream, runId);
      return { id: Number(row?.id), ended: row?.ended === 1 || (isNew && type === "history.replaced") };
    },
    insert(stream, run, event, fields) {
      addEvent.run(stream, event.seq, run, event.time, event.type, fields);
      if ("artifact" in event && event.artifact !== undefined) addArtifact.run(event.artifact, stream);
      if (event.type === "approval.decided") dropAnswer.run(event.approvalId);
    },
    end: (run, seq) => void endRun.run(seq, run),
    openRuns: (stream) => open.all(stream).map(({ name }) => String(name)),
    findSession(sessionId) {
      const row = findStream.get("session", sessionId);
      return row && Number(row.id);
    },
    remove(stream) {
      const artifacts = lonely.all(stream).map(({ id }) => String(id));
      for (const removal of removals) removal.run(stream);
      removeStream.run(stream);
      return artifacts;
    },
  };
}
