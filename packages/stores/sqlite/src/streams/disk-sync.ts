import { closeSync, fdatasync, openSync } from "node:fs";
import { getErrorMessage, StoreError, systemErrorCode } from "@bridle/protocol";

/**
 * Makes commits survive a power cut, without blocking the event loop. In WAL mode with `synchronous = NORMAL`, a commit is a write to the
 * `-wal` file, which the system writes to the disk later. One sync of that file, in a separate thread, covers every commit before its
 * start. Commits during a sync share the next one.
 *
 * The system reports a failed write to only one sync, and then drops the data. A later sync would succeed although the data are lost, so
 * after a failure all syncs fail.
 */
export class DiskSync {
  readonly #database: string;
  readonly #syncFile: typeof syncFile;
  #file: number | undefined;
  #running: Promise<void> = Promise.resolve();
  #isRunning = false;
  #next: Promise<void> | undefined;
  #failure: StoreError | undefined;
  #isClosed = false;

  constructor(database: string, sync = syncFile) {
    this.#database = database;
    this.#syncFile = sync;
  }

  /** The reason why commits no longer survive a power cut; undefined if they still do. */
  get failure(): StoreError | undefined {
    return this.#failure;
  }

  /** Resolves when the running sync has ended or failed; undefined if no sync is running. */
  get idle(): Promise<void> | undefined {
    return this.#isRunning ? this.#running.catch(() => {}) : undefined;
  }

  /** Syncs the file. Resolves when everything that was committed before the call is on the disk. */
  sync(): Promise<void> {
    this.#next ??= this.#running.then(
      () => this.#begin(),
      () => this.#begin(), // each caller gets the error of its own sync
    );
    return this.#next;
  }

  /** Ends the use of the file. Call it before the database is closed. Pending and later calls to `sync` still resolve only after a sync. */
  close(): void {
    this.#isClosed = true;
    if (!this.#isRunning) this.#closeFile();
  }

  #begin(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#running = promise;
    this.#isRunning = true;
    this.#next = undefined;
    const end = (error?: unknown) => {
      this.#isRunning = false;
      if (this.#isClosed) this.#closeFile();
      if (error) reject(error);
      else resolve();
    };
    try {
      if (this.#failure) throw this.#failure;
      this.#file ??= openSync(`${this.#database}-wal`, "r+");
      this.#syncFile(this.#file, (error) => end(error && this.#fail(error)));
    } catch (error) {
      const isInDatabase = this.#isClosed && systemErrorCode(error) === "ENOENT"; // SQLite has synced and removed the file
      end(isInDatabase ? undefined : error);
    }
    return promise;
  }

  #closeFile(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #fail(cause: Error): StoreError {
    const message = `The disk failed to keep the event log ${this.#database}: ${getErrorMessage(cause)}. A power cut may remove its newest events. Check the disk, then start this program again.`;
    this.#failure = new StoreError(message, this.#database, { cause });
    return this.#failure;
  }
}

function syncFile(file: number, done: (error: Error | null) => void): void {
  fdatasync(file, done);
}
