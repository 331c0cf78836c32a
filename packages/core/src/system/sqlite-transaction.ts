import type { DatabaseSync } from "node:sqlite";

/** Runs `work` in one transaction. It is written whole or not at all, and no other process writes meanwhile. */
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
