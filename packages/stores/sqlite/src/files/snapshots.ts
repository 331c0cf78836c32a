/** Stores snapshots of sessions. */
import type { DatabaseSync } from "node:sqlite";
import type { SessionSnapshot } from "@bridle/protocol";

/**
 * The statements of format 7. `after` is 0 for a snapshot that needs no earlier one. Thanks to the index, SQLite does not have to sort a
 * page of runs.
 */
export const snapshotTable = `
  CREATE TABLE snapshots (
    stream INTEGER NOT NULL REFERENCES streams,
    seq INTEGER NOT NULL,
    after INTEGER NOT NULL,
    content TEXT NOT NULL,
    UNIQUE (stream, seq)
  ) STRICT;
  CREATE INDEX runs_by_stream ON runs (stream, id);
`;

export interface Snapshots {
  of(sessionId: string): readonly SessionSnapshot[];
  /** Adds a snapshot. Call it in a transaction. */
  add(sessionId: string, snapshot: SessionSnapshot): boolean;
}

export function createSnapshots(database: DatabaseSync): Snapshots {
  const stream = "(SELECT id FROM streams WHERE kind = 'session' AND name = ?)";
  const all = database.prepare(`SELECT seq, after, content FROM snapshots WHERE stream = ${stream} ORDER BY seq`);
  const newest = database.prepare(`SELECT max(seq) AS seq FROM snapshots WHERE stream = ${stream}`);
  const newestEvent = database.prepare(`SELECT max(seq) AS seq FROM events WHERE stream = ${stream}`);
  const removeAll = database.prepare(`DELETE FROM snapshots WHERE stream = ${stream}`);
  const insert = database.prepare(`INSERT INTO snapshots (stream, seq, after, content) VALUES (${stream}, ?, ?, ?)`);
  return {
    of: (sessionId) =>
      all.all(sessionId).map(({ seq, after, content }) => {
        return { seq: Number(seq), after: Number(after), content: String(content) };
      }),
    add(sessionId, { seq, after, content }) {
      const isNext = after === 0 || after === Number(newest.get(sessionId)?.seq ?? 0);
      if (!isNext || seq <= after || seq > Number(newestEvent.get(sessionId)?.seq ?? 0)) return false;
      if (after === 0) removeAll.run(sessionId);
      insert.run(sessionId, seq, after, content);
      return true;
    },
  };
}
