import type { RunClock } from "./run-clock.ts";

/** The clock of a nested run. While it does not run, the clock of the caller stands still too, until `end` is called. */
export class CalledClock implements RunClock {
  readonly #own: RunClock;
  readonly #caller: Pick<RunClock, "hold">;
  #release: (() => void) | undefined;
  #hasEnded = false;

  constructor(own: RunClock, caller: Pick<RunClock, "hold">) {
    this.#own = own;
    this.#caller = caller;
    this.#release = caller.hold();
  }

  go(): void {
    this.#own.go();
    this.#releaseCaller();
  }

  pause(): void {
    this.#own.pause();
    if (!this.#hasEnded) this.#release ??= this.#caller.hold();
  }

  hold(): () => void {
    return this.#own.hold();
  }

  end(): void {
    this.#hasEnded = true;
    this.#own.end();
    this.#releaseCaller();
  }

  #releaseCaller(): void {
    this.#release?.();
    this.#release = undefined;
  }
}
