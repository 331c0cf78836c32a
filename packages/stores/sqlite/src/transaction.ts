import type { DatabaseSync } from "node:sqlite";

/** Does work that is on disk whole or not at all, as the file's only writer meanwhile. */
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
