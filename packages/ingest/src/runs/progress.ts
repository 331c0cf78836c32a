/** The progress of a run, for users and for other processes. */
import type { IngestSpending } from "../models/spending.ts";
import type { RunTable } from "../store/run-lock.ts";

export const progressStages = ["fetch", "project", "triage", "light", "unit", "verify", "apply"] as const;
export type ProgressStage = (typeof progressStages)[number];

export interface IngestProgress {
  readonly stage: ProgressStage;
  /** The current source or unit. */
  readonly unit?: string | undefined;
  /** The number of finished items, passages or units of the stage. `total` is an estimate until all are known. */
  readonly done: number;
  readonly total: number;
  /** The number of model calls in the whole run so far. */
  readonly calls: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly elapsedMs: number;
  /** The remaining time of the stage in milliseconds; undefined if it cannot be estimated yet. */
  readonly remainingMs?: number | undefined;
}

interface ProgressOptions {
  readonly spending: IngestSpending;
  readonly now: () => number;
  readonly runs: RunTable;
  readonly run: number;
  onProgress?(progress: IngestProgress): void;
}

/** The maximum age of the state that other processes see, in milliseconds. */
const storedEveryMs = 500;

export class ProgressReport {
  readonly #options: ProgressOptions;
  readonly #startedAt: number;
  #stage: ProgressStage = "fetch";
  #stageStartedAt: number;
  #done = 0;
  #total = 0;
  #storedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#startedAt = options.now();
    this.#stageStartedAt = this.#startedAt;
  }

  begin(stage: ProgressStage, total: number): void {
    [this.#stage, this.#done, this.#total] = [stage, 0, total];
    this.#stageStartedAt = this.#options.now();
    this.#report(undefined);
  }

  /** Raises the total when more work is found. */
  expect(total: number): void {
    this.#total = Math.max(total, this.#done);
  }

  add(count: number, unit?: string): void {
    this.#done += count;
    this.#total = Math.max(this.#total, this.#done);
    this.#report(unit);
  }

  /** Reports again after a step or a call has ended. */
  touch(unit?: string): void {
    this.#report(unit);
  }

  #report(unit: string | undefined): void {
    const { spending, now, onProgress, runs, run } = this.#options;
    const [time, done, total] = [now(), this.#done, this.#total];
    const remainingMs = done === 0 ? undefined : ((time - this.#stageStartedAt) / done) * (total - done);
    const progress: IngestProgress = {
      stage: this.#stage,
      unit,
      done,
      total,
      remainingMs,
      calls: spending.calls,
      tokens: spending.tokens,
      costUsd: spending.spentUsd,
      elapsedMs: time - this.#startedAt,
    };
    onProgress?.(progress);
    if (time - this.#storedAt < storedEveryMs) return;
    this.#storedAt = time;
    runs.report(run, JSON.stringify(progress));
  }
}
