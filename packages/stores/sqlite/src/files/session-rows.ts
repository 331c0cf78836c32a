/** Stores one row for each session, so that a list of sessions reads no events. */
import type { DatabaseSync } from "node:sqlite";
import { addToOutline, type RunEvent, type SessionOutline } from "@bridle/protocol";

/** The tables of format 5. Rows of sessions that exist already are filled in by `fillSessionRows`. */
export const sessionRowsTable = `
  CREATE TABLE sessions (
    stream INTEGER PRIMARY KEY REFERENCES streams,
    started_at REAL NOT NULL,
    last_at REAL NOT NULL,
    last_seq INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    outline TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sessions_by_time ON sessions (last_at, stream);
`;

/** Writes session rows. Call every function in a transaction. */
export interface SessionRows {
  /** Records the newest event of a session. */
  touch(stream: number, event: RunEvent, newRuns?: number): void;
  /** Stores those facts of an event that a list of sessions shows. */
  outline(stream: number, event: RunEvent): void;
}

export function createSessionRows(database: DatabaseSync): SessionRows {
  const touch = database.prepare(
    `INSERT INTO sessions (stream, started_at, last_at, last_seq, runs, outline) VALUES (?, ?, ?, ?, ?, '{}')
     ON CONFLICT (stream) DO UPDATE
     SET last_at = excluded.last_at, last_seq = excluded.last_seq, runs = runs + excluded.runs`,
  );
  const read = database.prepare("SELECT outline FROM sessions WHERE stream = ?");
  const write = database.prepare("UPDATE sessions SET outline = ? WHERE stream = ?");
  return {
    touch: (stream, { time, seq }, newRuns = 0) => void touch.run(stream, time, time, seq, newRuns),
    outline(stream, event) {
      if (!isOutlined(event)) return;
      const before = parseOutline(read.get(stream)?.outline);
      const after = addToOutline(before, event);
      if (after !== before) write.run(JSON.stringify(after), stream);
    },
  };
}

const outlinedTypes = ["run.started", "run.finished", "model.input", "history.replaced"] as const;

/** Whether a session's outline depends on the event. */
function isOutlined({ type }: RunEvent): boolean {
  return outlinedTypes.some((each) => each === type);
}

export function parseOutline(text: unknown): SessionOutline {
  return typeof text === "string" ? JSON.parse(text) : {};
}

/** Adds the rows of sessions that were written in an earlier format. */
export function fillSessionRows(database: DatabaseSync): void {
  database.exec(
    `INSERT INTO sessions (stream, started_at, last_at, last_seq, runs, outline)
     SELECT s.id, min(e.time), (SELECT time FROM events WHERE stream = s.id ORDER BY seq DESC LIMIT 1), max(e.seq),
       (SELECT count(*) FROM runs r WHERE r.stream = s.id AND NOT EXISTS
         (SELECT 1 FROM events f WHERE f.stream = r.stream AND f.seq = r.first_seq AND f.type = 'history.replaced')), '{}'
     FROM streams s JOIN events e ON e.stream = s.id WHERE s.kind = 'session' GROUP BY s.id`,
  );
  const write = database.prepare("UPDATE sessions SET outline = ? WHERE stream = ?");
  const streams = database.prepare("SELECT stream FROM sessions").all();
  for (const { stream } of streams) write.run(JSON.stringify(readOutline(database, Number(stream))), Number(stream));
}

/** Computes a session's outline from its events. */
export function readOutline(database: DatabaseSync, stream: number): SessionOutline {
  const types = outlinedTypes.map((type) => `'${type}'`).join(", ");
  const rows = database
    .prepare(
      `SELECT e.seq, e.time, e.type, e.fields, r.name AS runId FROM events e JOIN runs r ON r.id = e.run
       WHERE e.stream = ? AND e.type IN (${types}) ORDER BY e.seq`,
    )
    .iterate(stream);
  let outline: SessionOutline = {};
  for (const { seq, time, type, fields, runId } of rows) {
    const own: object = JSON.parse(String(fields));
    outline = addToOutline(outline, { seq, time, type, runId, ...own } as RunEvent); // the writer stored a RunEvent
  }
  return outline;
}
