/** The rules for every SQLite file of Bridle's that several processes may open. */
import type { DatabaseSync } from "node:sqlite";

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

/** The primary result code of an error of SQLite; `undefined` for other errors. The bits above the lowest byte are subcodes. */
export function readSqliteCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : undefined;
}

/** Whether the file is damaged, or no database at all. */
export function isSqliteDamage(error: unknown): boolean {
  const code = readSqliteCode(error);
  return code === sqliteCodes.corrupt || code === sqliteCodes.notADatabase;
}

/**
 * Lets processes read while one writes. If two processes start at the same time, SQLite reports a busy file at once,
 * without the wait of `busy_timeout`, so the change is tried again.
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
