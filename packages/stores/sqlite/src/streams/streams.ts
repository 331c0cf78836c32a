/** The tables in the form that the writer needs. Call every function in a transaction. */
import type { DatabaseSync } from "node:sqlite";
import type { RunEvent, RunScope } from "@bridle/protocol";

export interface Streams {
  /** The id of the stream of a run or a session. Creates the stream if it does not exist. */
  getId(scope: RunScope): number;
  lastSeq(stream: number): number;
  /** Adds the run of an event if it does not exist. The initial history of a session counts as a run that has ended. */
  addRun(stream: number, event: RunEvent): { readonly id: number; readonly hasEnded: boolean };
  insert(stream: number, run: number, event: RunEvent, fields: string): void;
  /** Marks a run as ended, with its last event. */
  end(run: number, seq: number): void;
  /** The ids of the runs of a stream that have not ended. */
  openRuns(stream: number): readonly string[];
  /** The stream of a session, or `undefined` for an unknown session. */
  findSession(sessionId: string): number | undefined;
  /** Removes a stream, and returns the ids of artifacts that no other stream uses. */
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
  const orphanedArtifacts = prepare(
    "SELECT id FROM artifacts a WHERE stream = ? AND NOT EXISTS (SELECT 1 FROM artifacts b WHERE b.id = a.id AND b.stream <> a.stream)",
  );
  const removals = ["answers", "artifacts", "events", "runs", "leases"].map((table) =>
    prepare(`DELETE FROM ${table} WHERE stream = ?`),
  );
  const removeStream = prepare("DELETE FROM streams WHERE id = ?");

  return {
    getId({ runId, sessionId }) {
      const name = sessionId === undefined ? (["run", runId] as const) : (["session", sessionId] as const);
      addStream.run(...name);
      return Number(findStream.get(...name)?.id);
    },
    lastSeq: (stream) => Number(newest.get(stream)?.seq ?? 0),
    addRun(stream, { runId, time, seq, type }) {
      const isNew = Number(addRun.run(stream, runId, time, seq).changes) > 0;
      const row = findRun.get(stream, runId);
      return { id: Number(row?.id), hasEnded: row?.ended === 1 || (isNew && type === "history.replaced") };
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
      const artifacts = orphanedArtifacts.all(stream).map(({ id }) => String(id));
      for (const removal of removals) removal.run(stream);
      removeStream.run(stream);
      return artifacts;
    },
  };
}
