import type { DatabaseSync } from "node:sqlite";
import { FileFormats, formatVersion } from "@bridle/core";
import { StoreError, StoreVersionError } from "@bridle/protocol";
import { contentTables } from "./contents.ts";
import { fillSessionRows, sessionRowsTable } from "./session-rows.ts";
import { limitsTable } from "./shared-limits.ts";
import { snapshotTable } from "./snapshots.ts";

/**
 * The statements that each format adds to the format before it. A published format never changes; add another one. `runs.last_seq` is NULL
 * until the run ends. A lease contains the process that writes a stream. If the stream's owner has closed a question, `answers.answer` is
 * NULL until the outcome is logged as an event. `owner` has one row with the mark of the user's key, or none if the event log was opened
 * without a key.
 */
export const eventLogFormats = new FileFormats([
  `
  CREATE TABLE streams (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (kind, name)) STRICT;
  CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL REFERENCES streams,
    name TEXT NOT NULL,
    started_at REAL NOT NULL,
    first_seq INTEGER NOT NULL,
    last_seq INTEGER,
    UNIQUE (stream, name)
  ) STRICT;
  CREATE INDEX runs_by_name ON runs (name);
  CREATE TABLE events (
    stream INTEGER NOT NULL REFERENCES streams,
    seq INTEGER NOT NULL,
    run INTEGER NOT NULL REFERENCES runs,
    time REAL NOT NULL,
    type TEXT NOT NULL,
    fields TEXT NOT NULL,
    PRIMARY KEY (stream, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE artifacts (
    id TEXT NOT NULL,
    stream INTEGER NOT NULL REFERENCES streams,
    PRIMARY KEY (id, stream)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE leases (
    stream INTEGER PRIMARY KEY REFERENCES streams,
    token TEXT NOT NULL,
    pid INTEGER NOT NULL,
    start_time TEXT
  ) STRICT;
  `,
  `
  CREATE TABLE answers (
    approval TEXT PRIMARY KEY,
    stream INTEGER NOT NULL REFERENCES streams,
    answer TEXT,
    token TEXT NOT NULL,
    pid INTEGER NOT NULL,
    start_time TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX approval_events ON events (stream, seq) WHERE type IN ('approval.requested', 'approval.decided');
  `,
  `
  CREATE INDEX events_without_deltas ON events (stream, seq) WHERE type NOT IN ('text.delta', 'reasoning.delta');
  `,
  `
  CREATE TABLE owner (id TEXT NOT NULL, tag TEXT NOT NULL) STRICT;
  `,
  (database) => {
    database.exec(sessionRowsTable);
    fillSessionRows(database);
  },
  contentTables,
  snapshotTable,
  limitsTable,
]);

/** The first format with used-up usage windows. */
export const limitsFormat = 8;

/** The first format with snapshots of sessions. */
export const snapshotsFormat = 7;

/** The first format that stores long texts in the database. */
export const contentsFormat = 6;

/** The first format with a row for each session. */
export const sessionRowsFormat = 5;

/** The first format with an index of questions and answers. */
export const approvalsFormat = 2;

/** The first format with an index of the events that are not streamed text. */
export const withoutDeltasFormat = 3;

/** The first format with the owner's mark. */
export const ownerFormat = 4;

/** Whether the tables exist. */
export function hasTables(database: DatabaseSync): boolean {
  return formatVersion(database) > 0;
}

/**
 * Refuses a file of a later format, and a file whose tables, indexes, triggers and views are not exactly those of its format: a trigger in
 * a file that came with a project could answer questions. Writes nothing to the file.
 *
 * @throws StoreVersionError
 * @throws StoreError
 */
export function requireOwnSchema(database: DatabaseSync, file: string): void {
  const fault = eventLogFormats.findFault(database);
  if (fault === undefined) return;
  if (fault === "newer") throw new StoreVersionError(file, formatVersion(database), eventLogFormats.newest);
  const message = `The event log ${file} has tables or triggers that are not Bridle's, so it is not used. It may be from somebody else. Move it away; Bridle creates a new one.`;
  throw new StoreError(message, file);
}

/**
 * Creates the tables of a new file, and calls `more`, in one transaction. Creates no file next to the database, because the rollback
 * journal of a killed process would look like another user's. Another process may create the tables first.
 */
export function createTables(database: DatabaseSync, more: () => void): void {
  if (hasTables(database)) return;
  database.exec("PRAGMA journal_mode = MEMORY");
  eventLogFormats.migrate(database, more);
}
