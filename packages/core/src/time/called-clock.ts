import type { RunClock } from "./run-clock.ts";

interface Called {
  works(): void;
  waits(): void;
  leaves(): void;
}

/** The clocks of a run's nested runs. While all nested runs wait, the clock of the run stops. */
export class CalledClocks {
  readonly #caller: Pick<RunClock, "hold">;
  readonly #works = new Map<object, boolean>();
  #release: (() => void) | undefined;

  constructor(caller: Pick<RunClock, "hold">) {
    this.#caller = caller;
  }

  /** Adds a nested run, which waits at first. */
  join(): Called {
    const run = {};
    const set = (works: boolean) => {
      this.#works.set(run, works);
      this.#update();
    };
    set(false);
    return {
      works: () => set(true),
      waits: () => set(false),
      leaves: () => {
        this.#works.delete(run);
        this.#update();
      },
    };
  }

  #update(): void {
    const runs = [...this.#works.values()];
    if (runs.length > 0 && !runs.includes(true)) {
      this.#release ??= this.#caller.hold();
    } else {
      this.#release?.();
      this.#release = undefined;
    }
  }
}

/** The clock of a nested run. It tells the caller's clock whether it is running, until `end` is called. */
export class CalledClock implements RunClock {
  readonly #own: RunClock;
  readonly #called: Called;
  #isGoing = false;
  #holds = 0;
  #hasEnded = false;

  constructor(own: RunClock, caller: CalledClocks) {
    this.#own = own;
    this.#called = caller.join();
  }

  go(): void {
    this.#own.go();
    this.#isGoing = true;
    this.#tell();
  }

  pause(): void {
    this.#own.pause();
    this.#isGoing = false;
    this.#tell();
  }

  hold(): () => void {
    const release = this.#own.hold();
    let isHeld = true;
    this.#holds += 1;
    this.#tell();
    return () => {
      release();
      if (!isHeld) return;
      isHeld = false;
      this.#holds -= 1;
      this.#tell();
    };
  }

  end(): void {
    this.#hasEnded = true;
    this.#own.end();
    this.#called.leaves();
  }

  #tell(): void {
    if (this.#hasEnded) return;
    if (this.#isGoing && this.#holds === 0) this.#called.works();
    else this.#called.waits();
  }
}
