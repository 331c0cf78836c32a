import { join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { inTransaction, isRunning, readStartTime, StateFile } from "@bridle/core";
import { z } from "zod";
import { TooManySessionsError } from "./serving-errors.ts";

/** A session as it was created, and its agent. */
const sessionRowSchema = z.object({
  id: z.string(),
  agent: z.string(),
  labels: z.string().transform((text) => z.record(z.string(), z.string()).parse(JSON.parse(text))),
  created_at: z.int(),
});

const requestRowSchema = z.object({
  body: z.string(),
  plan: z.string(),
  result: z.string().nullable(),
  pid: z.int(),
  start_time: z.string().nullable(),
});

/** The data about a session that a server stores in addition to its events. */
export interface SessionNote {
  readonly id: string;
  readonly agent: string;
  readonly labels: Readonly<Record<string, string>>;
  /** When the session was created, in milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A key of a request, and the hash of its body. */
export interface RequestKey {
  readonly value: string;
  readonly bodyHash: string;
}

/**
 * The result of claiming a key: `new` if the key is unused, `left` if the process that used it died, `busy` if another process is using it,
 * `done` with the stored result, or `other` if the key was used with another body. Plans and results are JSON.
 */
export type KeyClaim =
  | { readonly state: "new" | "left"; readonly plan: string }
  | { readonly state: "done"; readonly result: string }
  | { readonly state: "busy" }
  | { readonly state: "other" };

/** Selects a page of the sessions without runs. */
export interface UnbegunQuery {
  /** The maximum number of sessions. */
  readonly limit: number;
  /** The last session of the previous page. */
  readonly after?: Pick<SessionNote, "id" | "createdAt"> | undefined;
  readonly agent?: string | undefined;
  /** A part of the sessions' ids, case-insensitive. */
  readonly words?: string | undefined;
}

/** The maximum number of sessions without runs, and how long they are kept in milliseconds. */
const maxUnbegun = 10_000;
const unbegunMs = 30 * 24 * 60 * 60 * 1000;

/** How long a key is valid, in milliseconds. */
const keyMs = 24 * 60 * 60 * 1000;

const schema = `
  CREATE TABLE requests (key TEXT PRIMARY KEY, body TEXT NOT NULL, plan TEXT NOT NULL, result TEXT,
    pid INTEGER NOT NULL, start_time TEXT, created_at INTEGER NOT NULL) STRICT;
  CREATE INDEX requests_by_time ON requests (created_at);
  CREATE TABLE sessions (id TEXT PRIMARY KEY, agent TEXT NOT NULL, labels TEXT NOT NULL,
    created_at INTEGER NOT NULL, begun INTEGER NOT NULL) STRICT;
  CREATE INDEX sessions_without_run ON sessions (created_at) WHERE begun = 0;
`;

const servingFile = new StateFile({
  formats: [schema],
  isUnnumbered: true,
  subject: "The requests and sessions of the server in",
  isPlural: true,
  again: "start the server again",
});

/**
 * The database of a server, next to the event log. Contains request keys, and sessions that have no events yet. Several processes
 * can open it at the same time.
 */
export class ServingState {
  readonly #database: DatabaseSync;
  readonly #now: () => number;
  readonly #sessionById: StatementSync;
  readonly #agentsById: StatementSync;

  constructor(folder: string, now: () => number) {
    this.#database = servingFile.open(join(folder, "server.db"));
    this.#now = now;
    this.#sessionById = this.#database.prepare("SELECT id, agent, labels, created_at FROM sessions WHERE id = ?");
    this.#agentsById = this.#database.prepare(
      "SELECT id, agent FROM sessions WHERE id IN (SELECT value FROM json_each(?))",
    );
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  session(id: string): SessionNote | undefined {
    const row = this.#sessionById.get(id);
    return row && toNote(row);
  }

  /** Returns the known agents of these sessions. */
  agentsOf(ids: readonly string[]): ReadonlyMap<string, string> {
    const rows = this.#agentsById.all(JSON.stringify(ids));
    return new Map(rows.map(({ id, agent }) => [String(id), String(agent)]));
  }

  /** Returns a page of the sessions without runs, the newest first. */
  sessionsWithoutRun({ limit, after, agent, words = "" }: UnbegunQuery): readonly SessionNote[] {
    const rows = this.#database.prepare(
      `SELECT id, agent, labels, created_at FROM sessions WHERE begun = 0 AND (created_at, id) < (?1, ?2)
       AND (?3 IS NULL OR agent = ?3) AND instr(lower(id), ?4) > 0 ORDER BY created_at DESC, id DESC LIMIT ?5`,
    );
    const { createdAt, id } = after ?? { createdAt: Number.MAX_SAFE_INTEGER, id: "" };
    return rows.all(createdAt, id, agent ?? null, words.toLowerCase(), limit).map(toNote);
  }

  /**
   * Adds a session. Returns `undefined` if the id is already used. Removes sessions that have had no run for a month, and throws
   * TooManySessionsError if too many remain.
   */
  addSession(id: string, agent: string, labels: Readonly<Record<string, string>>): SessionNote | undefined {
    this.#database.prepare("DELETE FROM sessions WHERE begun = 0 AND created_at < ?").run(this.#now() - unbegunMs);
    const waiting = this.#database.prepare("SELECT count(*) AS number FROM sessions WHERE begun = 0").get();
    if (Number(waiting?.number) >= maxUnbegun) throw new TooManySessionsError(maxUnbegun);
    const add = this.#database.prepare(
      "INSERT OR IGNORE INTO sessions (id, agent, labels, created_at, begun) VALUES (?, ?, ?, ?, 0)",
    );
    const { changes } = add.run(id, agent, JSON.stringify(labels), this.#now());
    return Number(changes) === 1 ? this.session(id) : undefined;
  }

  /** Records that a run of this agent begins in the session. */
  beginSession(id: string, agent: string): void {
    const put = this.#database.prepare(
      `INSERT INTO sessions (id, agent, labels, created_at, begun) VALUES (?, ?, '{}', ?, 1)
       ON CONFLICT (id) DO UPDATE SET agent = excluded.agent, begun = 1`,
    );
    put.run(id, agent, this.#now());
  }

  removeSession(id: string): void {
    this.#database.prepare("DELETE FROM sessions WHERE id = ?").run(id);
  }

  /** Claims a key for this process, and stores the plan of the work. */
  claim({ value, bodyHash }: RequestKey, plan: string): KeyClaim {
    return inTransaction(this.#database, () => {
      this.#database.prepare("DELETE FROM requests WHERE created_at < ?").run(this.#now() - keyMs);
      const found = this.#database.prepare("SELECT * FROM requests WHERE key = ?").get(value);
      if (found === undefined) return this.#take(value, bodyHash, plan, "new");
      const row = requestRowSchema.parse(found);
      if (row.body !== bodyHash) return { state: "other" };
      if (row.result !== null) return { state: "done", result: row.result };
      const isOther = row.pid !== process.pid && isRunning(row.pid, row.start_time);
      return isOther ? { state: "busy" } : this.#take(value, bodyHash, row.plan, "left");
    });
  }

  #take(key: string, body: string, plan: string, state: "new" | "left"): KeyClaim {
    const put = this.#database.prepare(
      `INSERT INTO requests (key, body, plan, pid, start_time, created_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET pid = excluded.pid, start_time = excluded.start_time`,
    );
    put.run(key, body, plan, process.pid, readStartTime(process.pid) ?? null, this.#now());
    return { state, plan };
  }

  complete(key: string, result: string): void {
    if (!this.#database.isOpen) return; // the server has ended; the next server finds the work by its plan
    this.#database.prepare("UPDATE requests SET result = ? WHERE key = ?").run(result, key);
  }

  /** Frees the key of a request that did not begin its work. */
  release(key: string): void {
    if (!this.#database.isOpen) return;
    this.#database.prepare("DELETE FROM requests WHERE key = ? AND result IS NULL").run(key);
  }
}

function toNote(row: unknown): SessionNote {
  const { id, agent, labels, created_at: createdAt } = sessionRowSchema.parse(row);
  return { id, agent, labels, createdAt };
}
