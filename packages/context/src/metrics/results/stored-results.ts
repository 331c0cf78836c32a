import type { DatabaseSync } from "node:sqlite";
import { inTransaction, StateFile, sha256 } from "@bridle/core";
import { StoreError } from "@bridle/protocol";

const schema = `
  CREATE TABLE results (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    stored_at TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    result TEXT NOT NULL
  ) STRICT;
`;

/** The file of stored results, which can be deleted: Bridle computes the results again. */
const resultsState = new StateFile({
  formats: [schema],
  isUnnumbered: true,
  ifUnusable: "replace",
  subject: "The results in",
  isPlural: true,
  again: "query again",
});

/** The name changes with the format of results, so that no version reads another's file. */
export const resultsFileName = "results-1.sqlite";

/** The maximum number of stored results. The newest are kept. */
const maxResults = 500;
const maxBytes = 20_000_000;
/** The maximum size of a stored result. */
const maxBytesOfOne = 1_000_000;

export interface StoredResult {
  readonly value: unknown;
  /** When the result was stored, in ISO 8601. */
  readonly storedAt: string;
}

/**
 * Stores results in a file that several processes share, each with the state of the data it was computed from. Keys and states are stored
 * as digests. If the file cannot be used, results are kept in this process only: answers take longer, but stay correct.
 */
export class StoredResults {
  readonly #file: string | undefined;
  readonly #now: () => Date;
  #database: DatabaseSync | undefined;

  /** Without a file, the results stay in memory. */
  constructor(file?: string, now = () => new Date()) {
    this.#file = file;
    this.#now = now;
  }

  /** Returns undefined if there is no result for this state, or if the state is unknown. */
  get(key: string, state: string | undefined): StoredResult | undefined {
    if (state === undefined) return undefined;
    return this.#read("SELECT result, stored_at FROM results WHERE key = ? AND state = ?", key, state);
  }

  /** Returns the last stored result, even if the data have changed since. */
  last(key: string): StoredResult | undefined {
    return this.#read("SELECT result, stored_at FROM results WHERE key = ?", key);
  }

  set(key: string, state: string | undefined, value: unknown): void {
    const text = JSON.stringify(value);
    const bytes = Buffer.byteLength(text);
    if (state === undefined || bytes > maxBytesOfOne) return;
    const values = [sha256(key), sha256(state), this.#now().toISOString(), bytes, text];
    this.#use((database) =>
      inTransaction(database, () => {
        const columns = "key, state, stored_at, bytes, result";
        database.prepare("DELETE FROM results WHERE key = ?").run(sha256(key));
        database.prepare(`INSERT INTO results (${columns}) VALUES (?, ?, ?, ?, ?)`).run(...values);
        database.prepare(removeOld).run(maxResults, maxBytes);
      }),
    );
  }

  close(): void {
    if (this.#database?.isOpen) this.#database.close();
    this.#database = undefined;
  }

  #read(sql: string, ...words: readonly string[]): StoredResult | undefined {
    return this.#use((database) => {
      const row = database.prepare(sql).get(...words.map(sha256));
      return row && { value: JSON.parse(String(row.result)), storedAt: String(row.stored_at) };
    });
  }

  #use<Result>(work: (database: DatabaseSync) => Result): Result | undefined {
    try {
      this.#database ??= resultsState.open(this.#file);
      return work(this.#database);
    } catch (error) {
      if (error instanceof StoreError) throw error; // a link in the state folder, possibly made by another user
      this.close();
      this.#database = resultsState.open();
      return undefined;
    }
  }
}

/** Removes all results except the newest that fit. */
const removeOld = `DELETE FROM results WHERE number IN (
  SELECT number FROM (SELECT number, row_number() OVER newest AS place, sum(bytes) OVER newest AS total FROM results
    WINDOW newest AS (ORDER BY number DESC)) WHERE place > ? OR total > ?)`;
