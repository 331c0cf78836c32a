import type { Environment } from "@bridle/app";
import { formatDuration } from "@bridle/protocol";
import type { Output } from "../../command-line/cli.ts";
import { columnsOf } from "../../terminal/columns.ts";
import { fitLine } from "../../terminal/fit-line.ts";
import { toPrintableLine } from "../../terminal/printable.ts";

const [firstMs, everyMs, estimateMs, everyPlainMs] = [1000, 200, 10_000, 10_000];

/**
 * Shows how many documents are read: after a second, with an estimate after ten. On a terminal it is one line that changes, else
 * a line every ten seconds.
 */
export class IndexProgress {
  readonly #stderr: Output;
  readonly #isLive: boolean;
  readonly #now: () => number;
  readonly #startedAt: number;
  #lastAt: number;
  #shown = "";

  /** `now` is in milliseconds. */
  constructor(stderr: Output, { TERM }: Environment, now: () => number = () => performance.now()) {
    this.#stderr = stderr;
    this.#isLive = stderr.isTTY && TERM !== "dumb";
    this.#now = now;
    this.#startedAt = now();
    this.#lastAt = this.#startedAt + (this.#isLive ? firstMs - everyMs : 0);
  }

  show({ done, total, file }: { readonly done: number; readonly total: number; readonly file: string }): void {
    const time = this.#now();
    if (time - this.#lastAt < (this.#isLive ? everyMs : everyPlainMs)) return;
    this.#lastAt = time;
    this.stop();
    const text = `… ${done} of ${total} files${formatEstimate(time - this.#startedAt, done, total)}: ${file}`;
    this.#shown = this.#isLive ? fitLine(text, (this.#stderr.columns ?? 80) - 1) : "";
    this.#stderr.write(this.#isLive ? this.#shown : `${toPrintableLine(text)}\n`);
  }

  /** Removes the line. */
  stop(): void {
    if (this.#shown !== "") this.#stderr.write(`\r${" ".repeat(columnsOf(this.#shown))}\r`);
    this.#shown = "";
  }
}

function formatEstimate(elapsedMs: number, done: number, total: number): string {
  if (elapsedMs < estimateMs || done === 0) return "";
  return `, about ${formatDuration((elapsedMs / done) * (total - done))} left`;
}
