import type { Output } from "../cli/cli.ts";
import { formatDuration } from "./format.ts";

/** A line that tells a person at a terminal that something is going on, and for how long. */
export interface Waiting {
  /** Begins to wait anew; the line appears after a second. */
  restart(label: string): void;
  /** Removes the line. */
  stop(): void;
}

const eraseLine = "\r\u001b[K";
const tickMs = 1000;

/** Does nothing where standard error is no terminal. */
export function createWaiting(stderr: Output): Waiting {
  if (!stderr.isTTY) return { restart() {}, stop() {} };
  let timer: NodeJS.Timeout | undefined;
  let isShown = false;

  function stop(): void {
    clearInterval(timer);
    if (isShown) stderr.write(eraseLine);
    isShown = false;
  }

  return {
    restart(label) {
      stop();
      let ticks = 0;
      timer = setInterval(() => {
        ticks += 1;
        isShown = true;
        stderr.write(`${eraseLine}… ${label} ${formatDuration(ticks * tickMs)}`);
      }, tickMs);
      timer.unref();
    },
    stop,
  };
}
