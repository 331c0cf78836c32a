import type { Environment } from "@bridle/project";
import { formatDuration } from "@bridle/protocol";
import type { Output } from "../cli/cli.ts";
import { oneLine } from "./format.ts";

/** A line that tells a person at a terminal that something is going on, and for how long. */
export interface Waiting {
  /** Begins to wait anew; the line appears after a second. With `leftMs` it tells the time that is left, else that which went by. */
  restart(label: string, leftMs?: number): void;
  /** Removes the line. */
  stop(): void;
}

const tickMs = 1000;
/** What a terminal shows of an interrupt, behind the line. */
const echo = "^C";

/** Does nothing where standard error is no terminal, or one that cannot return to the start of its line. */
export function createWaiting(stderr: Output, { TERM }: Environment): Waiting {
  if (!stderr.isTTY || TERM === "dumb") return { restart() {}, stop() {} };
  let timer: NodeJS.Timeout | undefined;
  let shown = "";

  /** Blanks take the old line away: escape sequences are not for everybody (NO_COLOR). */
  function erase(): void {
    if (shown !== "") stderr.write(`\r${" ".repeat(shown.length + echo.length)}\r`);
    shown = "";
  }

  function stop(): void {
    clearInterval(timer);
    erase();
  }

  return {
    restart(label, leftMs) {
      stop();
      let ticks = 0;
      timer = setInterval(() => {
        ticks += 1;
        erase();
        const gone = ticks * tickMs;
        const time = leftMs === undefined ? formatDuration(gone) : `${formatLeft(leftMs - gone)} left`;
        shown = oneLine(`… ${label} ${time}`, roomOf(stderr));
        stderr.write(shown);
      }, tickMs);
      timer.unref();
    },
    stop,
  };
}

/** A line that went over the edge could not be taken away. */
function roomOf({ columns = 80 }: Output): number {
  return columns - echo.length - 1;
}

/** In whole seconds. */
function formatLeft(ms: number): string {
  const whole = Math.max(0, Math.round(ms / tickMs)) * tickMs;
  return whole < 60_000 ? `${whole / 1000} s` : formatDuration(whole);
}
