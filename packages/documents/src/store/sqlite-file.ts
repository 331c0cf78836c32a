import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import {
  createPrivateFolder,
  inTransaction,
  isSqliteDamage,
  makePrivate,
  openDatabase,
  readSqliteSchema,
  refuseLinks,
  secureSqlite,
  sqliteBusyMs,
  sqliteSchemaOf,
  useWriteAheadLog,
} from "@bridle/core";
import { DamagedIndexError, DocumentStoreError } from "./store-errors.ts";

/**
 * The full-text table also stores its text. A contentless table (`contentless_delete`) would keep counting removed rows in its ranking
 * (SQLite 3.53.4).
 */
const schema = `
  CREATE TABLE files (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, hash TEXT NOT NULL) STRICT;
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    file INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
    place INTEGER NOT NULL,
    fields TEXT NOT NULL
  ) STRICT;
  CREATE INDEX chunks_by_file ON chunks (file, place);
  CREATE TABLE vectors (chunk INTEGER PRIMARY KEY REFERENCES chunks ON DELETE CASCADE, vector BLOB NOT NULL) STRICT;
  CREATE VIRTUAL TABLE words USING fts5(terms, tokenize='ascii');
  CREATE TABLE space (model TEXT NOT NULL, dimensions INTEGER NOT NULL) STRICT;
`;

const stamps =
  "CREATE TABLE stamps (file INTEGER PRIMARY KEY REFERENCES files ON DELETE CASCADE, stamp TEXT NOT NULL) STRICT";

const problems = `
  CREATE TABLE warnings (file INTEGER NOT NULL REFERENCES files ON DELETE CASCADE, problem TEXT NOT NULL) STRICT;
  CREATE INDEX warnings_by_file ON warnings (file);
  CREATE TABLE left_out (name TEXT NOT NULL, kind TEXT NOT NULL, problem TEXT NOT NULL) STRICT;
`;

/** The tables that each version added. Newer versions are refused. */
const versions = [schema, stamps, problems] as const;

/** Opens the file, or creates it. Throws DocumentStoreError. */
export function openSqliteFile(file: string): DatabaseSync {
  return explained(file, () => {
    createPrivateFolder(dirname(file));
    for (const end of ["", "-wal", "-shm", "-journal"]) {
      refuseLinks(file + end);
      makePrivate(file + end);
    }
    const database = openDatabase(file);
    try {
      secureSqlite(database);
      database.exec(`PRAGMA busy_timeout = ${sqliteBusyMs}; PRAGMA foreign_keys = ON`);
      useWriteAheadLog(database);
      inTransaction(database, () => prepare(database, file));
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

function prepare(database: DatabaseSync, file: string): void {
  const version = Number(database.prepare("PRAGMA user_version").get()?.user_version);
  if (version > versions.length) {
    throw new DocumentStoreError(
      `A newer Bridle made the index ${file}. Update Bridle, or remove the file and build the index again.`,
    );
  }
  requireOwnSchema(database, version, file);
  for (const addition of versions.slice(version)) database.exec(addition);
  if (version < versions.length) database.exec(`PRAGMA user_version = ${versions.length}`);
}

/** Refuses a file with other tables or triggers: a trigger in a file that came with a project could change search results. */
function requireOwnSchema(database: DatabaseSync, version: number, file: string): void {
  if (readSqliteSchema(database) === sqliteSchemaOf(...versions.slice(0, version))) return;
  throw new DocumentStoreError(
    `The index ${file} has tables or triggers that are not Bridle's, so it is not used. Remove the file and build the index again.`,
  );
}

/** Runs work on a file, and adds a remedy to SQLite's errors. */
export function explained<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof DocumentStoreError) throw cause;
    const problem = cause instanceof Error ? cause.message : String(cause);
    if (isSqliteDamage(cause)) throw new DamagedIndexError(file, problem, cause);
    throw new DocumentStoreError(
      `The index ${file} cannot be used: ${problem}. Check that it is writable and the disk has space, or remove the file and build the index again.`,
      { cause },
    );
  }
}
