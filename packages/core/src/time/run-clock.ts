import { startTimer } from "./timer.ts";

/** The time limit of a run or of a call. It counts only while the clock runs and has no hold. */
export interface RunClock {
  go(): void;
  pause(): void;
  /** Stops the clock until the returned function is called. Several holds may exist at the same time. */
  hold(): () => void;
  /** Ends the clock, because the run or call is over. */
  end(): void;
}

/** Creates a paused clock that calls `onOver` once it has run for `ms` milliseconds in total; never without `ms`. */
export function createRunClock(ms: number | undefined, onOver: (ms: number) => void): RunClock {
  let left = ms ?? Number.POSITIVE_INFINITY;
  let since: number | undefined;
  let callOff = () => {};
  let isGoing = false;
  let holds = 0;

  function update(): void {
    const counts = isGoing && holds === 0;
    if (counts && since === undefined) {
      since = performance.now();
      callOff = startTimer(left, () => onOver(ms ?? left));
    } else if (!counts && since !== undefined) {
      left = Math.max(0, left - (performance.now() - since));
      since = undefined;
      callOff();
    }
  }

  function set(going: boolean): void {
    isGoing = going;
    update();
  }

  return {
    go: () => set(true),
    pause: () => set(false),
    end: () => set(false),
    hold() {
      let isHeld = true;
      holds += 1;
      update();
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holds -= 1;
        update();
      };
    },
  };
}
