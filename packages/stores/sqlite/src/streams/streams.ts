/** Reads and writes the tables for the event writer. Call every function in a transaction. */
import type { DatabaseSync } from "node:sqlite";
import type { RunEvent, StreamScope } from "@bridle/protocol";
import { createSessionRows } from "../files/session-rows.ts";

export interface Streams {
  /** Returns the stream of a run or a session. Creates it if it does not exist. */
  get(scope: StreamScope): { readonly id: number; readonly isNew: boolean };
  lastSeq(stream: number): number;
  /** Adds the run of an event if the run does not exist. The initial history of a session counts as a run that has ended. */
  addRun(stream: number, event: RunEvent): { readonly id: number; readonly hasEnded: boolean };
  insert(stream: number, run: number, event: RunEvent, fields: string): void;
  /** Records the newest event of a session, after a batch. */
  touch(stream: number, event: RunEvent): void;
  /** Marks a run as ended, with its last event. */
  end(run: number, seq: number): void;
  /** Lists the ids of a stream's runs that have not ended. */
  openRuns(stream: number): readonly string[];
  /** Returns the id of a stream's session, or `undefined` for a run without a session. */
  sessionOf(stream: number): string | undefined;
  /** Returns the stream of a session, or `undefined` for an unknown session. */
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
  const rows = createSessionRows(database);
  const session = prepare("SELECT name FROM streams WHERE id = ? AND kind = 'session'");

  return {
    get(scope) {
      const name = "sessionId" in scope ? (["session", scope.sessionId] as const) : (["run", scope.runId] as const);
      const { changes, lastInsertRowid } = addStream.run(...name);
      const isNew = Number(changes) > 0;
      return { id: Number(isNew ? lastInsertRowid : findStream.get(...name)?.id), isNew };
    },
    lastSeq: (stream) => Number(newest.get(stream)?.seq ?? 0),
    addRun(stream, event) {
      const { runId, time, seq, type } = event;
      const { changes, lastInsertRowid } = addRun.run(stream, runId, time, seq);
      const isNew = Number(changes) > 0;
      const isOrigin = isNew && type === "history.replaced";
      if (isSession(event)) rows.touch(stream, event, isNew && !isOrigin ? 1 : 0);
      if (isNew) return { id: Number(lastInsertRowid), hasEnded: isOrigin };
      const row = findRun.get(stream, runId);
      return { id: Number(row?.id), hasEnded: row?.ended === 1 };
    },
    insert(stream, run, event, fields) {
      addEvent.run(stream, event.seq, run, event.time, event.type, fields);
      if ("artifact" in event && event.artifact !== undefined) addArtifact.run(event.artifact, stream);
      if (event.type === "approval.decided") dropAnswer.run(event.approvalId);
      if (isSession(event)) rows.outline(stream, event);
    },
    touch(stream, event) {
      if (isSession(event)) rows.touch(stream, event);
    },
    end: (run, seq) => void endRun.run(seq, run),
    openRuns: (stream) => open.all(stream).map(({ name }) => String(name)),
    sessionOf(stream) {
      const row = session.get(stream);
      return row && String(row.name);
    },
    findSession(sessionId) {
      const row = findStream.get("session", sessionId);
      return row && Number(row.id);
    },
    remove: createRemoval(database),
  };
}

function createRemoval(database: DatabaseSync): Streams["remove"] {
  const orphanedArtifacts = database.prepare(
    "SELECT id FROM artifacts a WHERE stream = ? AND NOT EXISTS (SELECT 1 FROM artifacts b WHERE b.id = a.id AND b.stream <> a.stream)",
  );
  const tables = ["answers", "artifacts", "events", "runs", "leases", "sessions", "contents", "parts", "snapshots"];
  const removals = tables.map((table) => database.prepare(`DELETE FROM ${table} WHERE stream = ?`));
  const removeStream = database.prepare("DELETE FROM streams WHERE id = ?");
  return (stream) => {
    const artifacts = orphanedArtifacts.all(stream).map(({ id }) => String(id));
    for (const removal of removals) removal.run(stream);
    removeStream.run(stream);
    return artifacts;
  };
}

function isSession({ sessionId }: RunEvent): boolean {
  return sessionId !== undefined;
}
