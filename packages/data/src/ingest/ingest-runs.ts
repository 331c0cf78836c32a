import type { IngestProgress, IngestReport, StoredRun } from "@bridle/ingest";
import { getErrorMessage } from "@bridle/protocol";
import type { IngestRequest } from "./ingest-request.ts";
import type { ProjectIngest } from "./project-ingest.ts";

/** The progress of an ingest, or how it ended. */
export interface IngestRunState {
  /** `none`: nothing was ingested yet. `died`: the process that performed the ingest no longer exists; the next run continues the work. */
  readonly state: "none" | "running" | "ended" | "failed" | "died";
  /** The time of the start, in ISO 8601. */
  readonly startedAt?: string | undefined;
  readonly progress?: Partial<IngestProgress> | undefined;
  /** The progress, if this process performs the ingest. */
  readonly report?: IngestReport | undefined;
  /** Why the ingest failed. */
  readonly reason?: string | undefined;
}

type ProgressListener = (progress: IngestProgress) => void;

/** The ingests that a server performs for its clients. A started ingest continues to its end even if its client disconnects. */
export class IngestRuns {
  readonly #openIngest: () => Promise<ProjectIngest>;
  readonly #signal: AbortSignal;
  readonly #listeners = new Set<ProgressListener>();
  #state: IngestRunState = { state: "none" };
  #running: Promise<void> = Promise.resolve();

  /** `signal` stops a run. The finished work is kept, and the next run continues. */
  constructor(openIngest: () => Promise<ProjectIngest>, signal: AbortSignal) {
    this.#openIngest = openIngest;
    this.#signal = signal;
  }

  /** Begins a run, unless one is in progress in this process. Resolves when the run has begun or could not begin. */
  async start(request: Pick<IngestRequest, "sources" | "dryRun">): Promise<IngestRunState> {
    if (this.#state.state === "running") return this.#state;
    const begun = Promise.withResolvers<void>();
    this.#state = { state: "running", startedAt: new Date().toISOString() };
    const onBegun = () => begun.resolve();
    this.#listeners.add(onBegun);
    this.#running = this.#perform(request).finally(() => {
      this.#listeners.delete(onBegun);
      begun.resolve();
    });
    await begun.promise;
    return this.#state;
  }

  /** Describes the run in progress, in this or another process, or else the newest one. */
  async status(): Promise<IngestRunState> {
    if (this.#state.state === "running") return this.#state;
    const last = (await this.#openIngest()).lastRun();
    if (last === undefined || !this.#isOther(last)) return this.#state;
    const { state, startedAt, progress } = last;
    return { state, startedAt, ...(progress !== undefined && { progress: JSON.parse(progress) }) };
  }

  /** Waits until the run of this process has ended, but no longer than the given time. */
  async wait(ms: number, onProgress: ProgressListener, signal: AbortSignal): Promise<void> {
    const waited = Promise.withResolvers<void>();
    const timer = setTimeout(waited.resolve, ms);
    const onAbort = () => waited.resolve();
    signal.addEventListener("abort", onAbort, { once: true });
    this.#listeners.add(onProgress);
    try {
      if (!signal.aborted) await Promise.race([this.#running, waited.promise]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      this.#listeners.delete(onProgress);
    }
  }

  /** Resolves when no ingest is in progress in this process. */
  close(): Promise<void> {
    return this.#running;
  }

  /** Whether to show a stored run instead of the run of this process. */
  #isOther({ pid, state, startedAt }: StoredRun): boolean {
    const own = this.#state.startedAt;
    return own === undefined || (pid !== process.pid && (state === "running" || startedAt > own));
  }

  async #perform(request: Pick<IngestRequest, "sources" | "dryRun">): Promise<void> {
    const { startedAt } = this.#state;
    try {
      const ingest = await this.#openIngest();
      const { report } = await ingest.run({
        ...request,
        signal: this.#signal,
        onProgress: (progress) => {
          this.#state = { state: "running", startedAt, progress };
          for (const listener of this.#listeners) listener(progress);
        },
      });
      this.#state = { state: "ended", startedAt, report };
    } catch (error) {
      this.#state = { state: "failed", startedAt, reason: getErrorMessage(error) };
    }
  }
}
