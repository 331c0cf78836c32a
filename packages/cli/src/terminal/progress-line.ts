import type { Environment } from "@bridle/app";
import type { Output } from "../command/cli.ts";
import { columnsOf } from "./columns.ts";
import { fitLine } from "./fit-line.ts";
import { toPrintableLine } from "./printable.ts";

/** Times in milliseconds: before the first line on a terminal, between such lines, and between lines in a pipe. */
const [firstMs, liveMs, plainMs] = [1_000, 200, 10_000];

/** How long work has to take before an estimate is shown, in milliseconds. */
export const estimateAfterMs = 10_000;

/** Shows progress after a second: on a terminal as one line that changes, elsewhere as a line every ten seconds. */
export class ProgressLine {
  readonly #stderr: Output;
  readonly #isLive: boolean;
  readonly #now: () => number;
  readonly #startedAt: number;
  #lastAt: number;
  #shown = "";

  /** `now` returns milliseconds. */
  constructor(stderr: Output, { TERM }: Environment, now: () => number = () => performance.now()) {
    this.#stderr = stderr;
    this.#isLive = stderr.isTTY && TERM !== "dumb";
    this.#now = now;
    this.#startedAt = now();
    this.#lastAt = this.#startedAt + (this.#isLive ? firstMs - liveMs : 0);
  }

  /** Shows the progress. `format` is called with the milliseconds since the start, when a line is due. */
  show(format: (elapsedMs: number) => string): void {
    const time = this.#now();
    if (time - this.#lastAt < (this.#isLive ? liveMs : plainMs)) return;
    this.#lastAt = time;
    this.stop();
    const text = `… ${format(time - this.#startedAt)}`;
    this.#shown = this.#isLive ? fitLine(text, (this.#stderr.columns ?? 80) - 1) : "";
    this.#stderr.write(this.#isLive ? this.#shown : `${toPrintableLine(text)}\n`);
  }

  /** Removes the line. */
  stop(): void {
    if (this.#shown !== "") this.#stderr.write(`\r${" ".repeat(columnsOf(this.#shown))}\r`);
    this.#shown = "";
  }
}
