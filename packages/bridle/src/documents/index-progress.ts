import type { Environment } from "@bridle/project";
import { formatDuration } from "@bridle/protocol";
import type { Output } from "../cli/cli.ts";
import { oneLine } from "../run/format.ts";

/** How far documents are read, as it is told. */
export interface IndexProgress {
  told(progress: { readonly done: number; readonly total: number; readonly file: string }): void;
  /** Removes the line. */
  stop(): void;
}

const [firstMs, everyMs, estimateMs, everyPlainMs] = [1000, 200, 10_000, 10_000];

/**
 * Tells after a second how far it is, and after ten how long it will take: on a terminal in one line, else in a line every
 * ten seconds. `now` is in milliseconds.
 */
export function createIndexProgress(
  stderr: Output,
  { TERM }: Environment,
  now: () => number = () => performance.now(),
): IndexProgress {
  const isLive = stderr.isTTY && TERM !== "dumb";
  const started = now();
  let last = started + (isLive ? firstMs - everyMs : 0);
  let shown = "";

  function erase(): void {
    if (shown !== "") stderr.write(`\r${" ".repeat(shown.length)}\r`);
    shown = "";
  }

  return {
    told({ done, total, file }) {
      const time = now();
      if (time - last < (isLive ? everyMs : everyPlainMs)) return;
      last = time;
      erase();
      const text = `… ${done} of ${total} files${sayLeft(time - started, done, total)}: ${file}`;
      if (!isLive) return stderr.write(`${text}\n`);
      shown = oneLine(text, (stderr.columns ?? 80) - 1);
      stderr.write(shown);
    },
    stop: erase,
  };
}

function sayLeft(goneMs: number, done: number, total: number): string {
  if (goneMs < estimateMs || done === 0) return "";
  return `, about ${formatDuration((goneMs / done) * (total - done))} left`;
}
