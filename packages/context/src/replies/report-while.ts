/** The time before the first report. */
const firstMs = 1_000;
const maxMs = 16_000;

/** Reports that work is still running: first after a second, and then at growing intervals. */
export async function reportWhile<T>(
  work: Promise<T>,
  progress: (message: string) => void,
  describe: (seconds: number) => string,
): Promise<T> {
  const reporter = new WorkReporter((seconds) => progress(describe(seconds)));
  try {
    return await work;
  } finally {
    reporter.stop();
  }
}

class WorkReporter {
  readonly #report: (seconds: number) => void;
  readonly #startedAt = performance.now();
  #timer: NodeJS.Timeout;

  constructor(report: (seconds: number) => void) {
    this.#report = report;
    this.#timer = this.#schedule(firstMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #schedule(ms: number): NodeJS.Timeout {
    const onTime = () => {
      this.#report(Math.round((performance.now() - this.#startedAt) / 1000));
      this.#timer = this.#schedule(Math.min(2 * ms, maxMs));
    };
    return setTimeout(onTime, ms).unref();
  }
}
