import { isRunning, readStartTime } from "@bridle/core";
import { z } from "zod";
import { nullableText, type StoreDatabase } from "./store-database.ts";
import { IngestRunningError } from "./store-errors.ts";

const runRow = z.object({
  id: z.number(),
  pid: z.number(),
  start_time: z.string().nullable(),
  started_at: z.string(),
  ended_at: nullableText,
  progress: nullableText,
  outcome: nullableText,
});

/** A stored ingest run, for other processes. */
export interface StoredRun {
  readonly id: number;
  readonly pid: number;
  readonly startedAt: string;
  readonly endedAt?: string | undefined;
  /** `running`, `ended`, or `died` if its process is gone. */
  readonly state: "running" | "ended" | "died";
  /** The progress as JSON, as last stored by the run. */
  readonly progress?: string | undefined;
  /** The outcome as JSON. Set if the run ended. */
  readonly outcome?: string | undefined;
}

/** The runs in progress in this process, by file and id. A run that is not listed here is over, even if its end could not be stored. */
const performed = new Set<string>();

/** The runs of a project. Only one is in progress at a time. */
export class RunTable {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  /**
   * Starts a run, and returns its id. A run whose process is gone counts as over.
   *
   * @throws IngestRunningError with the process id, if another run is in progress.
   */
  begin(now: Date): number {
    return this.#database.transaction(() => {
      const last = this.last();
      if (last?.state === "running") {
        const owner = last.pid === process.pid ? "this process" : `the process ${last.pid}`;
        throw new IngestRunningError(
          `Another ingest is in progress: ${owner} began it at ${last.startedAt}. Wait until it has ended, or stop it.`,
        );
      }
      const insert = "INSERT INTO runs (pid, start_time, started_at) VALUES (:pid, :startTime, :now)";
      const startTime = readStartTime(process.pid) ?? null;
      const id = this.#database.run(insert, { pid: process.pid, startTime, now: now.toISOString() }).lastId;
      performed.add(this.#name(id));
      return id;
    });
  }

  /** Stores the progress of a run. */
  report(id: number, progress: string): void {
    this.#database.run("UPDATE runs SET progress = :progress WHERE id = :id", { id, progress });
  }

  end(id: number, now: Date, outcome?: string): void {
    performed.delete(this.#name(id));
    const update = "UPDATE runs SET ended_at = :now, outcome = :outcome WHERE id = :id";
    this.#database.run(update, { id, now: now.toISOString(), outcome: outcome ?? null });
  }

  /** Returns the newest run; undefined if no run exists. */
  last(): StoredRun | undefined {
    const found = this.#database.get(runRow, "SELECT * FROM runs ORDER BY id DESC LIMIT 1");
    if (found === undefined) return undefined;
    const { id, pid, start_time, started_at: startedAt, ended_at: endedAt, progress, outcome } = found;
    const isOwn = pid === process.pid && readStartTime(pid) === (start_time ?? undefined);
    const isAlive = endedAt === undefined && (isOwn ? performed.has(this.#name(id)) : isRunning(pid, start_time));
    const state = endedAt !== undefined ? "ended" : isAlive ? "running" : "died";
    return { id, pid, startedAt, endedAt, state, progress, outcome };
  }

  #name(id: number): string {
    return `${this.#database.file}#${id}`;
  }
}
