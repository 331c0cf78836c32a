/** The list of changes, and the lock that lets one process at a time change the files. Both are one SQLite file. */
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { readSqliteCode, StateFile, sqliteBusyMs, sqliteCodes } from "@bridle/core";
import { StoreBusyError } from "@bridle/protocol";
import { z } from "zod";
import { FactsError } from "../facts/facts-errors.ts";
import { type NoteSource, noteSources } from "./table-file-schema.ts";

/** A change that was made to a file through Bridle. */
export interface ListedChange {
  readonly id: number;
  /** When the change was made, in ISO 8601. */
  readonly at: string;
  /** The author, such as `person`, or the name of an agent. */
  readonly author: string;
  readonly source: NoteSource;
  /** The reason; undefined only for a user's change. */
  readonly reason?: string | undefined;
  /** The changed file, relative to the project. */
  readonly file: string;
  /** The table, column or join. */
  readonly subject: string;
  readonly kind: string;
  /** The value before and after as JSON. Undefined without a previous value. */
  readonly before?: string | undefined;
  readonly after: string;
  /** The commit, if one was made. */
  readonly commit?: string | undefined;
}

const row = z.object({
  id: z.number(),
  at: z.string(),
  author: z.string(),
  source: z.enum(noteSources),
  reason: z.string().nullable(),
  file: z.string(),
  subject: z.string(),
  kind: z.string(),
  before: z.string().nullable(),
  after: z.string(),
  commit_id: z.string().nullable(),
});

const table = `CREATE TABLE changes (id INTEGER PRIMARY KEY, at TEXT NOT NULL, author TEXT NOT NULL,
  source TEXT NOT NULL, reason TEXT, file TEXT NOT NULL, subject TEXT NOT NULL, kind TEXT NOT NULL, before TEXT,
  after TEXT NOT NULL, commit_id TEXT) STRICT`;

const changesState = new StateFile({
  formats: [table],
  isUnnumbered: true,
  journal: "rollback", // removed changes must be forgotten
  subject: "The changes in",
  isPlural: true,
  again: "try again",
  error: FactsError,
});

/** Milliseconds. */
const [maxWaitMs, betweenTries] = [30_000, 15];

/** The log while this process holds the lock. The first call of `add` releases the lock. */
export class LockedChangeLog {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Adds entries permanently, all or none. Throws SQLite's Error if that is not possible. */
  add(...changes: readonly Omit<ListedChange, "id">[]): void {
    const statement = this.#database.prepare(
      "INSERT INTO changes (at, author, source, reason, file, subject, kind, before, after, commit_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    for (const { at, author, source, reason, file, subject, kind, before, after, commit } of changes) {
      const values = [at, author, source, reason ?? null, file, subject, kind, before ?? null, after, commit ?? null];
      statement.run(...values);
    }
    this.#database.exec("COMMIT");
  }

  remove(isGone: (change: ListedChange) => boolean): void {
    const changes = this.#database
      .prepare("SELECT * FROM changes")
      .all()
      .map((each) => toChange(row.parse(each)));
    const gone = this.#database.prepare("DELETE FROM changes WHERE id = ?");
    for (const change of changes) if (isGone(change)) gone.run(change.id);
    this.#database.exec("COMMIT; VACUUM");
  }

  /** Whether the log has an entry with this time about a file. */
  has(at: string, file: string): boolean {
    return this.#database.prepare("SELECT 1 FROM changes WHERE at = ? AND file = ?").get(at, file) !== undefined;
  }
}

/**
 * Runs `work` while no other process or caller changes files. The lock is released even if the process dies.
 *
 * @throws StoreBusyError after 30 seconds, FactsError if the log file cannot be used.
 */
export async function withChangeLock<T>(path: string, work: (log: LockedChangeLog) => Promise<T>): Promise<T> {
  const database = changesState.open(path);
  try {
    database.exec("PRAGMA busy_timeout = 0");
    await lock(database, path);
    database.exec(`PRAGMA busy_timeout = ${sqliteBusyMs}`);
    return await work(new LockedChangeLog(database));
  } catch (error) {
    if (readSqliteCode(error) === undefined) throw error;
    return changesState.explain(path, () => raise(error));
  } finally {
    if (database.isTransaction) database.exec("ROLLBACK");
    database.close();
  }
}

function raise(error: unknown): never {
  throw error;
}

async function lock(database: DatabaseSync, path: string): Promise<void> {
  const until = performance.now() + maxWaitMs;
  for (;;) {
    try {
      database.exec("BEGIN IMMEDIATE");
      return;
    } catch (error) {
      if (readSqliteCode(error) !== sqliteCodes.busy) throw error;
      if (performance.now() > until) {
        throw new StoreBusyError("Another process has been changing the files of the context for 30 seconds.", path);
      }
      await delay(betweenTries);
    }
  }
}

export interface ListChangesOptions {
  /** The maximum number of changes, newest first. Default: 100. */
  readonly limit?: number | undefined;
  /** Only changes by agents and models. Default: all. */
  readonly byAgents?: boolean | undefined;
}

/** Lists the changes that were made through Bridle, newest first. */
export function readChanges(path: string, { limit = 100, byAgents = false }: ListChangesOptions = {}): ListedChange[] {
  const database = changesState.open(path);
  try {
    return changesState.explain(path, () => selectChanges(database, limit, byAgents));
  } finally {
    database.close();
  }
}

/** Removes entries permanently, including their contents. */
export async function removeChanges(path: string, isGone: (change: ListedChange) => boolean): Promise<void> {
  await withChangeLock(path, async (log) => log.remove(isGone));
}

function selectChanges(database: DatabaseSync, limit: number, byAgents: boolean): ListedChange[] {
  const which = byAgents ? "WHERE source <> 'person'" : "";
  return database
    .prepare(`SELECT * FROM changes ${which} ORDER BY id DESC LIMIT ?`)
    .all(limit)
    .map((each) => toChange(row.parse(each)));
}

function toChange({ commit_id: commit, reason, before, ...change }: z.output<typeof row>): ListedChange {
  return {
    ...change,
    ...(reason !== null && { reason }),
    ...(before !== null && { before }),
    ...(commit !== null && { commit }),
  };
}
