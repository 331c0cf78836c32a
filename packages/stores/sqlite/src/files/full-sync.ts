import type { DatabaseSync } from "node:sqlite";

/**
 * Runs work so that its writes survive a power cut. Restores SQLite's sync setting afterwards, because the event writer syncs its own
 * writes.
 */
export function withFullSync<T>(database: DatabaseSync, work: () => T): T {
  const before = Number(database.prepare("PRAGMA synchronous").get()?.synchronous);
  database.exec("PRAGMA synchronous = FULL");
  try {
    return work();
  } finally {
    database.exec(`PRAGMA synchronous = ${before}`);
  }
}
