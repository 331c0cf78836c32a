import { Worker } from "node:worker_threads";

/** Milliseconds that a checkpoint waits for another process that has locked the file, such as one that repairs it. */
const busyMs = 1000;

/**
 * A thread that moves committed data from the write-ahead log into the database, and replies with the number of pages in
 * the log.
 */
const program = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { DatabaseSync } = require("node:sqlite");
  function checkpoint() {
    const database = new DatabaseSync(workerData, { timeout: ${busyMs} });
    try {
      database.exec("PRAGMA trusted_schema = OFF");
      return Number(database.prepare("PRAGMA wal_checkpoint(PASSIVE)").get().log);
    } finally {
      database.close();
    }
  }
  parentPort.on("message", () => parentPort.postMessage(checkpoint()));
`;

/** The approximate number of bytes between two checkpoints. */
const checkpointBytes = 8_000_000;

/** The estimated size of an item. SQLite writes at most a page of 4 kB for each table that the item changes. */
const bytesOfItem = 1000;

/** After a checkpoint, a log with more pages than this is written from the beginning again, for which writes pause briefly. */
const longLogPages = 4000;

/** If the log becomes longer than this, SQLite itself shortens it, on the main thread. */
export const maxLogPages = 16_000;

/** The thread ends if it has had nothing to do for this many milliseconds. */
const idleMs = 10_000;

interface CheckpointOptions {
  readonly file: string;
  /** Pauses writing until the work is done. */
  pauseDuring(work: Promise<void>): Promise<void>;
}

/**
 * Keeps the write-ahead log short. A checkpoint waits for the disk, so it runs in a separate thread, which starts when there is much to
 * write. If a checkpoint fails, nothing is lost: the log grows until the next checkpoint, or until SQLite itself shortens it.
 */
export class Checkpoints {
  readonly #options: CheckpointOptions;
  #worker: Worker | undefined;
  #running: Promise<void> | undefined;
  #bytes = 0;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: CheckpointOptions) {
    this.#options = options;
  }

  /** Counts committed data, and starts a checkpoint when there is enough. */
  count(items: number, characters: number): void {
    this.#bytes += items * bytesOfItem + characters;
    if (this.#bytes < checkpointBytes || this.#running || this.#isClosed) return;
    this.#bytes = 0;
    this.#running = this.#checkpoint();
  }

  /** Stops checkpoints. Resolves when no thread has the files open. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
    await this.#endWorker();
  }

  /** Makes a checkpoint. Never rejects: the next checkpoint tries again. */
  async #checkpoint(): Promise<void> {
    clearTimeout(this.#idle);
    try {
      const pages = await this.#ask();
      if (pages > longLogPages) await this.#options.pauseDuring(this.#ask().then(() => {}));
      this.#idle = setTimeout(() => void this.#endWorker(), idleMs).unref();
    } catch {
      await this.#endWorker();
    }
    this.#running = undefined;
  }

  async #endWorker(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  /** Asks the thread for a checkpoint. Resolves with the number of pages in the log. */
  async #ask(): Promise<number> {
    this.#worker ??= startWorker(this.#options.file);
    const worker = this.#worker;
    const answer = Promise.withResolvers<number>();
    worker.once("message", answer.resolve);
    worker.once("exit", answer.reject);
    worker.ref(); // somebody may wait for the end of a pause
    worker.postMessage("checkpoint");
    try {
      return await answer.promise;
    } finally {
      worker.off("message", answer.resolve);
      worker.off("exit", answer.reject);
      worker.unref();
    }
  }
}

/** Starts the thread, which does not keep the process alive by default. */
function startWorker(file: string): Worker {
  const worker = new Worker(program, { eval: true, workerData: file, execArgv: ["--no-warnings"] });
  worker.unref();
  worker.on("error", () => {}); // after an error, the thread also exits
  return worker;
}
