/** The rules for Bridle's SQLite files, which several processes may open. */
import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, DatabaseSyncOptions } from "node:sqlite";
import { createPrivateFolder, makePrivate, refuseLinks } from "../private-files.ts";

/** SQLite's primary result codes: https://www.sqlite.org/rescode.html */
export const sqliteCodes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

/** How long a write waits for the write of another process, in milliseconds. */
export const sqliteBusyMs = 10_000;

/** Opens a database. Loads `node:sqlite` only when the first database is opened, because old versions of Node.js do not have it. */
export function openDatabase(file: string | URL, options: DatabaseSyncOptions = {}): DatabaseSync {
  const sqlite = process.getBuiltinModule("node:sqlite");
  return new sqlite.DatabaseSync(file, options);
}

/**
 * Opens a database and runs `prepare`. The file may come from an unknown author, so SQLite does not trust its schema: functions in the
 * schema must be harmless, and nothing can write to SQLite's own tables.
 */
export function openDistrusted(
  file: string | URL,
  prepare: (database: DatabaseSync) => void,
  options: DatabaseSyncOptions = {},
): DatabaseSync {
  const database = openDatabase(file, options);
  try {
    database.exec(`PRAGMA busy_timeout = ${sqliteBusyMs}; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON`);
    database.enableDefensive?.(true); // since Node.js 24.12
    prepare(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Returns the paths of the file, and of the files that SQLite creates next to it and reads again. */
export function databaseFiles(file: string): readonly string[] {
  return ["", "-wal", "-shm", "-journal"].map((end) => file + end);
}

/**
 * Creates an empty file and its folder if they do not exist. The file, and the files next to it, become private to this user. SQLite
 * creates its other files with the same mode.
 *
 * @throws StoreError for a link.
 * @throws a system error if the file cannot be created.
 */
export function createPrivateDatabase(file: string): void {
  createPrivateFolder(dirname(file));
  for (const path of databaseFiles(file)) refuseLinks(path);
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new Error("it is a folder");
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
  for (const path of databaseFiles(file)) makePrivate(path);
}

/** Returns the primary result code of an SQLite error; `undefined` for other errors. The bits above the lowest byte are subcodes. */
export function readSqliteCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : undefined;
}

/** Whether an error means that the file is damaged, or is not a database at all. */
export function isSqliteDamage(error: unknown): boolean {
  const code = readSqliteCode(error);
  return code === sqliteCodes.corrupt || code === sqliteCodes.notADatabase;
}

/**
 * Turns on write-ahead logging, so that processes can read while one writes. If two processes start at the same time, SQLite reports a busy
 * file immediately instead of waiting for `busy_timeout`, so this function tries again.
 */
export function useWriteAheadLog(database: Pick<DatabaseSync, "exec">): void {
  const until = performance.now() + sqliteBusyMs;
  for (;;) {
    try {
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
      return;
    } catch (error) {
      if (readSqliteCode(error) !== sqliteCodes.busy || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** Runs `work` in one transaction. Its changes are written completely or not at all, and no other process writes at the same time. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK"); // a full disk may have ended the transaction already
    throw error;
  }
}
