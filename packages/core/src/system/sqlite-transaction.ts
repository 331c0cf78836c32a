import type { DatabaseSync } from "node:sqlite";

/** Runs work in one transaction that holds SQLite's write lock. Rolls back and rethrows if the work throws. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK"); // a full disk may have ended it already
    throw error;
  }
}
