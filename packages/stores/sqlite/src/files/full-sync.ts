import type { DatabaseSync } from "node:sqlite";

/** What the work writes survives a power cut. The setting is restored afterwards, because the writer keeps track of its own. */
export function withFullSync<T>(database: DatabaseSync, work: () => T): T {
  const before = Number(database.prepare("PRAGMA synchronous").get()?.synchronous);
  database.exec("PRAGMA synchronous = FULL");
  try {
    return work();
  } finally {
    database.exec(`PRAGMA synchronous = ${before}`);
  }
}
