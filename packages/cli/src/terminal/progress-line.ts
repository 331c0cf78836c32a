import type { Environment } from "@bridle/app";
import type { Output } from "../command/cli.ts";
import { columnsOf } from "./columns.ts";
import { fitLine } from "./fit-line.ts";
import { toPrintableLine } from "./printable.ts";

/** Milliseconds: until the first line of a terminal, between its lines, and between those of a pipe. */
const [firstMs, liveMs, plainMs] = [1_000, 200, 10_000];

/** Work that takes longer shows an estimate, in milliseconds. */
export const estimateAfterMs = 10_000;

/** Shows progress after a second. On a terminal it is one line that changes, else a line every ten seconds. */
export class ProgressLine {
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
    this.#lastAt = this.#startedAt + (this.#isLive ? firstMs - liveMs : 0);
  }

  /** `format` is called if it is time for a line, with the milliseconds since the start. */
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
