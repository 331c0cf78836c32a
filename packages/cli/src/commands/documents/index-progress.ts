import type { Environment } from "@bridle/app";
import { formatDuration } from "@bridle/protocol";
import type { Output } from "../../command/cli.ts";
import { estimateAfterMs, ProgressLine } from "../../terminal/progress-line.ts";

/** Shows how many documents have been read. */
export class IndexProgress {
  readonly #line: ProgressLine;

  /** `now` returns milliseconds. */
  constructor(stderr: Output, environment: Environment, now?: () => number) {
    this.#line = new ProgressLine(stderr, environment, now);
  }

  show({ done, total, file }: { readonly done: number; readonly total: number; readonly file: string }): void {
    this.#line.show((elapsedMs) => `${done} of ${total} files${formatEstimate(elapsedMs, done, total)}: ${file}`);
  }

  /** Removes the line. */
  stop(): void {
    this.#line.stop();
  }
}

function formatEstimate(elapsedMs: number, done: number, total: number): string {
  if (elapsedMs < estimateAfterMs || done === 0) return "";
  return `, about ${formatDuration((elapsedMs / done) * (total - done))} left`;
}
