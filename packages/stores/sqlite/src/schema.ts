import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "@bridle/core";
import { StoreVersionError } from "@bridle/protocol";

/**
 * What each format adds to the one before. A format that was published never changes: a further one is added.
 * `runs.last_seq` is missing while the run goes on. A lease names the process that writes a stream. An answer is missing
 * where the owner of the question closed it, until what became of it is an event.
 */
const migrations: readonly string[] = [
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
  CREATE INDEX told_events ON events (stream, seq) WHERE type NOT IN ('text.delta', 'reasoning.delta');
  `,
];

/** The format from which on the events of a stream can be read without going through its pieces of streamed text. */
export const toldFormat = 3;

/** The format of a file, from 0 for a new one. */
export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
}

/** Whether the tables are there. */
export function isMade(database: DatabaseSync): boolean {
  return versionOf(database) > 0;
}

/** Throws StoreVersionError for a file of a later format, before anything is written to it. */
export function refuseNewer(database: DatabaseSync, file: string, known = migrations.length): void {
  const version = versionOf(database);
  if (version > known) throw new StoreVersionError(file, version, known);
}

/** Brings a file to the newest format, whole or not at all; several processes may try at once. */
export function migrate(database: DatabaseSync, steps: readonly string[] = migrations): void {
  if (versionOf(database) >= steps.length) return;
  inTransaction(database, () => {
    for (const step of steps.slice(versionOf(database))) database.exec(step);
    database.exec(`PRAGMA user_version = ${steps.length}`);
  });
}
