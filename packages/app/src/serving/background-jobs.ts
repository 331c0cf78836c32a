import type { RunShare } from "./run-slots.ts";
import { ServingEndedError } from "./serving-errors.ts";
import { WorkInProgress } from "./work-in-progress.ts";
import type { BackgroundJob, ServedJobs } from "./workspace.ts";

/** How long to wait for stopped jobs when the workspace closes, in milliseconds. */
const stopMs = 1000;

/** Work of a workspace that makes many runs, such as the cases of a test. Like a run, it continues even if its client disconnects. */
export class BackgroundJobs implements ServedJobs {
  readonly #share: RunShare;
  readonly #jobs = new Set<BackgroundJob>();
  readonly #work = new WorkInProgress();
  #isEnded = false;

  constructor(share: RunShare) {
    this.#share = share;
  }

  get isInUse(): boolean {
    return this.#work.count > 0;
  }

  begin(job: BackgroundJob): () => void {
    if (this.#isEnded) throw new ServingEndedError();
    const place = this.#share.take(job.places);
    const end = this.#work.enter();
    this.#jobs.add(job);
    return () => {
      this.#jobs.delete(job);
      place.leave();
      end();
    };
  }

  join(): () => void {
    return this.#work.enter();
  }

  /** Begins no more jobs. Waits for the jobs in progress, and stops those that are left at the end of that time. */
  async end(graceMs: number): Promise<void> {
    this.#isEnded = true;
    await this.#work.whenNoneWithin(graceMs);
    for (const job of this.#jobs) job.stop();
    await this.#work.whenNoneWithin(stopMs);
  }
}
