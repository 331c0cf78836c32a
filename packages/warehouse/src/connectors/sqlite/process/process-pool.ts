import { basename } from "node:path";
import { StoppedError } from "@bridle/protocol";
import { stoppedBy } from "../explain.ts";
import { SqliteProcess } from "./sqlite-process-client.ts";

/** As many statements of one connection run at the same time; others wait. */
const maxProcesses = 4;

/** The processes that read one file. Each is used by one statement at a time. One that had to be ended is not used again. */
export class ProcessPool {
  readonly #file: string;
  readonly #idle: SqliteProcess[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #all = new Set<SqliteProcess>();
  #used = 0;
  #isClosed = false;
  /** The name of the file, for messages. */
  readonly name: string;

  constructor(file: string) {
    this.#file = file;
    this.name = basename(file);
  }

  /** Starts the first process, and returns the version of SQLite. */
  async start(): Promise<string> {
    return this.use(async (process) => process.version, undefined);
  }

  async use<Result>(
    task: (process: SqliteProcess) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const process = await this.acquire(signal);
    try {
      return await task(process);
    } finally {
      await this.release(process);
    }
  }

  async acquire(signal: AbortSignal | undefined): Promise<SqliteProcess> {
    this.#refuseIfUnusable(signal);
    if (this.#used >= maxProcesses) await this.#waitForTurn(signal);
    else this.#used++;
    try {
      this.#refuseIfUnusable(signal);
      return this.#takeIdle() ?? (await this.#open());
    } catch (error) {
      this.#passOn();
      throw error;
    }
  }

  async release(process: SqliteProcess): Promise<void> {
    if (process.isUsable && !this.#isClosed) this.#idle.push(process);
    else {
      await process.end();
      this.#all.delete(process);
    }
    this.#passOn();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const wake of this.#waiting.splice(0)) wake();
    await Promise.all([...this.#all].map((process) => process.end()));
  }

  #takeIdle(): SqliteProcess | undefined {
    const process = this.#idle.pop();
    if (process === undefined || process.isUsable) return process;
    this.#all.delete(process);
    return this.#takeIdle();
  }

  async #open(): Promise<SqliteProcess> {
    const process = SqliteProcess.start(this.#file);
    this.#all.add(process);
    try {
      await process.open();
      return process;
    } catch (error) {
      await process.end();
      this.#all.delete(process);
      throw error;
    }
  }

  /** The permit of a statement that ended goes to the next one. */
  #passOn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#used--;
    else next();
  }

  async #waitForTurn(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = () => {
      if (signal === undefined) return;
      const place = this.#waiting.indexOf(resolve);
      if (place < 0) return;
      this.#waiting.splice(place, 1);
      reject(stoppedBy(signal));
    };
    this.#waiting.push(resolve);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  #refuseIfUnusable(signal: AbortSignal | undefined): void {
    if (signal?.aborted) throw stoppedBy(signal);
    if (this.#isClosed) throw new StoppedError("The connection is closed. Open it again to read.");
  }
}
