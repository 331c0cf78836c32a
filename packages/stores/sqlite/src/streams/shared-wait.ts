import type { DatabaseSync } from "node:sqlite";
import { readSqliteCode, sqliteBusyMs, sqliteCodes } from "@bridle/core";

/**
 * Waits for a file that another process has locked. Waiting blocks the event loop, so all writes share one wait. After a failed wait,
 * writes fail at once until one succeeds or the duration of a wait has passed again.
 */
export class SharedWait {
  readonly #database: DatabaseSync;
  readonly #waitMs: number;
  readonly #now: () => number;
  #nextAt = 0;

  constructor(database: DatabaseSync, now: () => number = () => performance.now()) {
    this.#database = database;
    this.#waitMs = Number(database.prepare("PRAGMA busy_timeout").get()?.timeout);
    this.#now = now;
  }

  /** Lets the next write wait in any case. */
  allow(): void {
    this.#nextAt = 0;
  }

  run<T>(write: () => T): T {
    const waits = this.#now() >= this.#nextAt;
    if (!waits) this.#database.exec("PRAGMA busy_timeout = 0");
    try {
      const result = write();
      this.allow();
      return result;
    } catch (error) {
      if (waits && readSqliteCode(error) === sqliteCodes.busy) this.#nextAt = this.#now() + sqliteBusyMs;
      throw error;
    } finally {
      if (!waits) this.#database.exec(`PRAGMA busy_timeout = ${this.#waitMs}`);
    }
  }
}
