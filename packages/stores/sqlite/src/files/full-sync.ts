import type { DatabaseSync } from "node:sqlite";

/**
 * Runs work with writes that survive a power cut. The setting is restored afterwards, because the writer syncs its own
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
