/** Streams the progress of a test run as server-sent events. */
import { setTimeout as sleep } from "node:timers/promises";
import { type TestProgress, type TestRun, toOverview, toTrialOverview } from "@bridle/app/tests";
import type { TestJobs } from "./test-jobs.ts";

/** The interval at which the file of another process's test run is checked, in milliseconds. */
const lookEveryMs = 1000;
/** The interval of comments that keep the connection alive, in milliseconds. */
const keepAliveMs = 15_000;

export interface TestProgressOptions {
  /** Whether the transcripts of the trials are left out. */
  readonly isOverview: boolean;
  readonly signal: AbortSignal;
}

/**
 * Yields the current state of the test run, then each trial that starts or ends, and finally the complete test run. `read` reads
 * its file.
 */
export async function* streamTestProgress(
  id: string,
  jobs: TestJobs,
  read: () => Promise<TestRun>,
  { isOverview, signal }: TestProgressOptions,
): AsyncGenerator<string> {
  const show = (run: TestRun) => format("run", isOverview ? toOverview(run) : run);
  const news = new News();
  const leave = jobs.listen(id, (progress) => news.add(progress));
  try {
    let run = await read();
    yield `retry: 1000\n${show(run)}`;
    let isEnded = leave === undefined && run.state !== "running";
    while (!isEnded && !signal.aborted) {
      if (leave === undefined) {
        await sleep(lookEveryMs, undefined, { signal }).catch(() => {});
        const now = await read();
        if (now.cases.length !== run.cases.length || now.state !== run.state) yield show(now);
        run = now;
        isEnded = run.state !== "running";
        continue;
      }
      const progress = await news.next(keepAliveMs, signal);
      if (progress === undefined) yield ": keep-alive\n\n";
      else if (progress.type === "ended") {
        isEnded = true;
        yield show(await read());
      } else if (progress.type !== "begun") yield format("progress", isOverview ? withoutWords(progress) : progress);
    }
    if (isEnded) yield format("bye", { reason: "ended" });
  } finally {
    leave?.();
  }
}

function withoutWords(progress: TestProgress) {
  if (progress.type !== "trial.finished") return progress;
  const { result } = progress;
  return { ...progress, result: { case: result.case, ...toTrialOverview(result) } };
}

function format(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Progress that has not been sent yet. */
class News {
  readonly #waiting: TestProgress[] = [];
  #wake: (() => void) | undefined;

  add(progress: TestProgress): void {
    this.#waiting.push(progress);
    this.#wake?.();
  }

  /** Returns the next item. `undefined` if none arrives in time, or if the signal is aborted. */
  async next(withinMs: number, signal: AbortSignal): Promise<TestProgress | undefined> {
    if (this.#waiting.length === 0 && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
        signal.addEventListener("abort", this.#wake, { once: true });
      });
      if (this.#wake) signal.removeEventListener("abort", this.#wake);
      this.#wake = undefined;
    }
    return this.#waiting.shift();
  }
}
