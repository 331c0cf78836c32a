/** Opens and checks every SQLite file of Bridle that several processes may open. */
import type { DatabaseSync, DatabaseSyncOptions } from "node:sqlite";

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

/** The time, in milliseconds, that a write waits for the write of another process. */
export const sqliteBusyMs = 10_000;

/** Opens a database. Loads `node:sqlite` only with the first database, because old versions of Node.js do not have it. */
export function openDatabase(file: string | URL, options: DatabaseSyncOptions = {}): DatabaseSync {
  const sqlite = process.getBuiltinModule("node:sqlite");
  return new sqlite.DatabaseSync(file, options);
}

/**
 * Distrusts the schema of a file, because the file may come from an unknown author: functions in it must be harmless, and the tables of
 * SQLite itself cannot be written.
 */
export function secureSqlite(database: DatabaseSync): void {
  database.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
  database.enableDefensive?.(true); // since Node.js 24.12
}

/** Reads the tables, indexes, triggers and views with their statements, one per line. Equal statements give equal text. */
export function readSqliteSchema(database: Pick<DatabaseSync, "prepare">): string {
  const rows = database.prepare("SELECT type, name, tbl_name AS owner, sql FROM sqlite_master").all();
  return rows
    .map(({ type, name, owner, sql }) => JSON.stringify([type, name, owner, sql]))
    .sort()
    .join("\n");
}

const schemas = new Map<string, string>();

/** Returns the text that `readSqliteSchema` returns for a file that only these statements have created. */
export function sqliteSchemaOf(...statements: readonly string[]): string {
  const key = statements.join(";\n");
  const known = schemas.get(key);
  if (known !== undefined) return known;
  const database = openDatabase(":memory:");
  try {
    for (const each of statements) database.exec(each);
    const schema = readSqliteSchema(database);
    schemas.set(key, schema);
    return schema;
  } finally {
    database.close();
  }
}

/** Reads the primary result code of an SQLite error; `undefined` for other errors. The bits above the lowest byte are subcodes. */
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
 * file immediately, without the wait of `busy_timeout`, so the change is repeated.
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

/** Runs `work` in one transaction. Its changes are written completely or not at all, and no other process writes meanwhile. */
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
