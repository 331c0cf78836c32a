import type { Environment } from "@bridle/app";
import { formatDuration } from "@bridle/protocol";
import type { Output } from "../command/cli.ts";
import { columnsOf } from "./columns.ts";
import { fitLine } from "./fit-line.ts";

const tickMs = 1000;
/** A terminal shows this echo of an interrupt after the line. */
const echo = "^C";

/**
 * Shows a line with how long work has been in progress. The line appears after a second, but only if standard error is a terminal that can
 * return to the start of a line.
 */
export class WaitingLine {
  readonly #stderr: Output;
  readonly #isEnabled: boolean;
  #timer: NodeJS.Timeout | undefined;
  #shown = "";

  constructor(stderr: Output, { TERM }: Environment) {
    this.#stderr = stderr;
    this.#isEnabled = stderr.isTTY && TERM !== "dumb";
  }

  /** Starts again from zero. The line counts up, or down from `remainingMs`. */
  restart(label: string, remainingMs?: number): void {
    this.stop();
    if (!this.#isEnabled) return;
    let ticks = 0;
    this.#timer = setInterval(() => {
      ticks += 1;
      this.#draw(label, ticks * tickMs, remainingMs);
    }, tickMs);
    this.#timer.unref();
  }

  /** Removes the line. */
  stop(): void {
    clearInterval(this.#timer);
    this.#erase();
  }

  #draw(label: string, elapsedMs: number, remainingMs: number | undefined): void {
    this.#erase();
    const time =
      remainingMs === undefined ? formatDuration(elapsedMs) : `${formatSeconds(remainingMs - elapsedMs)} left`;
    // A line that is wider than the terminal could not be removed.
    this.#shown = fitLine(`… ${label} ${time}`, (this.#stderr.columns ?? 80) - echo.length - 1);
    this.#stderr.write(this.#shown);
  }

  /** Overwrites the line with spaces, because the user may not want escape sequences (NO_COLOR). */
  #erase(): void {
    if (this.#shown !== "") this.#stderr.write(`\r${" ".repeat(columnsOf(this.#shown) + echo.length)}\r`);
    this.#shown = "";
  }
}

/** Shows a waiting line during some work. */
export async function whileWaiting<T>(
  label: string,
  { stderr, environment }: { readonly stderr: Output; readonly environment: Environment },
  work: () => Promise<T>,
): Promise<T> {
  const line = new WaitingLine(stderr, environment);
  line.restart(label);
  try {
    return await work();
  } finally {
    line.stop();
  }
}

function formatSeconds(ms: number): string {
  const whole = Math.max(0, Math.round(ms / tickMs)) * tickMs;
  return whole < 60_000 ? `${whole / 1000} s` : formatDuration(whole);
}
