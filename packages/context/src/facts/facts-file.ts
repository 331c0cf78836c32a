/** Opens the facts file: `context/facts.sqlite` in a project's state folder. It can be deleted; the next scan measures the facts again. */
import { randomBytes } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { readSqliteCode, StateFile, sqliteCodes } from "@bridle/core";
import { FactsError } from "./facts-errors.ts";

/**
 * `measured` has the measurements of each table, by the table's fingerprint at that time. `tables` has the results of the last finished
 * scan. `checks` has answers to exact questions about two tables, which depend on the fingerprints of both. `measured` and `checks` are
 * also the progress of a scan that was interrupted.
 */
const schema = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE connections (name TEXT PRIMARY KEY, facts TEXT NOT NULL, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE scans (connection TEXT PRIMARY KEY, started_at TEXT NOT NULL, pid INTEGER NOT NULL, start_time TEXT)
    STRICT, WITHOUT ROWID;
  CREATE TABLE measured (
    connection TEXT NOT NULL,
    id TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    facts TEXT NOT NULL,
    profile BLOB,
    PRIMARY KEY (id, fingerprint)
  ) STRICT;
  CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    connection TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    columns INTEGER NOT NULL,
    key TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tables_by_connection ON tables (connection, id);
  CREATE TABLE joins (
    connection TEXT NOT NULL,
    id TEXT NOT NULL,
    from_table TEXT NOT NULL,
    to_table TEXT NOT NULL,
    rejected INTEGER NOT NULL,
    facts TEXT NOT NULL,
    PRIMARY KEY (connection, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX joins_from ON joins (from_table);
  CREATE INDEX joins_to ON joins (to_table);
  CREATE TABLE checks (
    connection TEXT NOT NULL,
    question TEXT NOT NULL,
    fingerprints TEXT NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (connection, question)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE drift (connection TEXT NOT NULL, place INTEGER NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (connection, place))
    STRICT, WITHOUT ROWID;
`;

export const factsState = new StateFile({
  formats: [createFacts],
  prepare: overwriteRemoved,
  subject: "The facts in",
  isPlural: true,
  again: "scan again: bridle context scan",
  error: FactsError,
});

function createFacts(database: DatabaseSync): void {
  database.exec(schema);
  database.prepare("INSERT INTO meta VALUES ('file', ?), ('version', '0')").run(randomBytes(6).toString("hex"));
}

/** Overwrites removed data, because data that a scope now excludes must not stay in the file's free pages. */
function overwriteRemoved(database: DatabaseSync): void {
  database.exec("PRAGMA secure_delete = ON");
  clearFreePages(database);
}

/** The `auto_vacuum` mode `incremental`. An existing file gets this mode only through a VACUUM. */
const incremental = 2;

/**
 * Clears the free pages of a file from a version of Bridle that did not overwrite removed data. Each file is cleared once, and then has
 * another `auto_vacuum` mode. If another process is using the file, or the disk is full, a later start tries again.
 */
function clearFreePages(database: DatabaseSync): void {
  const mode = database.prepare("PRAGMA auto_vacuum").get()?.auto_vacuum;
  if (mode === incremental) return;
  database.exec(`PRAGMA auto_vacuum = ${incremental}`);
  try {
    database.exec("VACUUM");
  } catch (error) {
    const code = readSqliteCode(error);
    const { busy, locked, full } = sqliteCodes;
    if (code !== busy && code !== locked && code !== full) throw error;
  }
}
