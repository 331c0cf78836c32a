import { startTimer } from "./timer.ts";

/** The time that a run may take. It counts only while the clock goes. */
export interface RunClock {
  go(): void;
  pause(): void;
}

/** A paused clock that calls `onOver` once it has gone for `ms` milliseconds altogether; never without `ms`. */
export function createRunClock(ms: number | undefined, onOver: (ms: number) => void): RunClock {
  let left = ms ?? Number.POSITIVE_INFINITY;
  let since: number | undefined;
  let callOff = () => {};
  return {
    go() {
      if (since !== undefined) return;
      since = performance.now();
      callOff = startTimer(left, () => onOver(ms ?? left));
    },
    pause() {
      if (since === undefined) return;
      left = Math.max(0, left - (performance.now() - since));
      since = undefined;
      callOff();
    },
  };
}
