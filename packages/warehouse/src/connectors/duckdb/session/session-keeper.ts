/** Keeps one session open while it is used, and opens another one when the database has changed. */
import { statSync } from "node:fs";
import { InvalidRequestError } from "@bridle/protocol";
import type { DuckDbConfig } from "../config.ts";
import type { DuckDbDriver } from "../driver.ts";
import { findSource } from "./find-source.ts";
import { DuckDbSession } from "./session.ts";

export interface SessionOptions {
  readonly driver: DuckDbDriver;
  readonly config: DuckDbConfig;
  readonly projectDir: string;
  /** Milliseconds without a statement after which the database file is closed. While the file is open, no process can write to it. */
  readonly idleMs: number;
}

/**
 * While a database is open, DuckDB 1.5.6 keeps data about each table and column that it has read in memory, outside of its memory limit. A
 * database is therefore closed and opened again after the values or the storage of this many tables were read.
 */
export const maxUses = 400;

export class SessionKeeper {
  readonly #options: SessionOptions;
  #opened: Promise<DuckDbSession> | undefined;
  #stamp = "";
  #users = 0;
  /** The number of tables that were read since the session was opened. */
  #uses = 0;
  #closed = false;
  #idle: NodeJS.Timeout | undefined;
  /** The last opening or closing. The next one waits for it. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Returns the session, which the caller must `release` afterwards. `uses` is the number of tables to read. */
  acquire(uses = 1): Promise<DuckDbSession> {
    clearTimeout(this.#idle);
    this.#users += 1;
    return this.#enqueue(() => this.#current(uses)).catch((cause) => {
      this.#users -= 1;
      throw cause;
    });
  }

  release(session: DuckDbSession): void {
    this.#users -= 1;
    if (this.#users > 0 || session.source.kind === "files") return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#enqueue(() => this.#closeIfUnused()), this.#options.idleMs);
    this.#idle.unref();
  }

  /** Closes the database file until the next statement, unless a statement is running. */
  async rest(): Promise<void> {
    if ((await this.#opened)?.source.kind === "files") return;
    await this.#enqueue(() => this.#closeIfUnused());
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.#enqueue(() => this.#close());
  }

  async #current(uses: number): Promise<DuckDbSession> {
    if (this.#closed) throw new InvalidRequestError("The connection to DuckDB is closed. Open another one.");
    // While another statement runs, the session is kept, so this statement sees the same state of the database.
    const alone = this.#users === 1;
    if (this.#opened !== undefined && alone && ((await this.#isWorn()) || (await this.#hasChanged()))) {
      await this.#close();
    }
    this.#opened ??= this.#open();
    this.#uses += uses;
    return this.#opened;
  }

  async #open(): Promise<DuckDbSession> {
    const { driver, config, projectDir } = this.#options;
    try {
      const source = await findSource(config, projectDir);
      const session = await DuckDbSession.open(driver, source, config);
      this.#stamp = stampOf(session);
      return session;
    } catch (cause) {
      this.#opened = undefined;
      throw cause;
    }
  }

  async #isWorn(): Promise<boolean> {
    return this.#uses >= maxUses && (await this.#opened)?.source.kind === "database";
  }

  async #hasChanged(): Promise<boolean> {
    const session = await this.#opened;
    return session !== undefined && stampOf(session) !== this.#stamp;
  }

  async #closeIfUnused(): Promise<void> {
    if (this.#users === 0) await this.#close();
  }

  async #close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    this.#uses = 0;
    await (await opened?.catch(() => undefined))?.close();
  }

  #enqueue<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(operation);
    this.#turn = result.catch(() => {});
    return result;
  }
}

/** Returns a string that differs after each change of a session's files. */
function stampOf({ source }: DuckDbSession): string {
  const files = source.kind === "database" ? [source.path] : source.tables.flatMap((table) => table.files);
  return files.map(stampOfFile).join(" ");
}

/** Returns the size of a file and the time of its last change; empty if the file does not exist. */
export function stampOfFile(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : `${found.ino}:${found.size}:${found.mtimeNs}`;
}
