import { type ScanProgress, scanPhases } from "./scan-options.ts";

/** The number of parts, and of milliseconds, after which an estimate is given. */
const certain = { done: 5, ms: 500 };

/** Reports progress. Within a phase, the reported number only increases. */
export class ProgressReporter {
  readonly #report: ((progress: ScanProgress) => void) | undefined;
  readonly #now: () => number;
  #phase: ScanProgress["phase"] = scanPhases[0];
  #startedAt: number;
  #done = -1;

  constructor(report: ((progress: ScanProgress) => void) | undefined, now: () => number) {
    this.#report = report;
    this.#now = now;
    this.#startedAt = now();
  }

  update(phase: ScanProgress["phase"], done: number, total?: number): void {
    if (phase !== this.#phase) {
      this.#phase = phase;
      this.#startedAt = this.#now();
      this.#done = -1;
    }
    if (done <= this.#done) return;
    this.#done = done;
    const elapsed = this.#now() - this.#startedAt;
    const known = total !== undefined && done >= certain.done && elapsed >= certain.ms;
    const remainingMs = known ? Math.round((elapsed / done) * (total - done)) : undefined;
    this.#report?.({ phase, done, total, remainingMs });
  }
}
