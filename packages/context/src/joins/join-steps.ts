import { setImmediate } from "node:timers/promises";

/** The parts of a join search: compare columns with others, score candidates, check links in the database. */
export type JoinPart = "compare" | "score" | "check";

/** Called with the number of finished steps of a part, and their total. An error that it throws ends the search. */
export type OnJoinStep = (part: JoinPart, done: number, total: number) => void;

/** Milliseconds of work before other work of the process gets its turn. */
const longest = 30;

/** The steps of a long computation. Other work of the process runs between them. */
export class JoinSteps {
  readonly #onStep: OnJoinStep | undefined;
  #part: JoinPart = "compare";
  #done = 0;
  #total = 0;
  #paused = performance.now();

  constructor(onStep?: OnJoinStep) {
    this.#onStep = onStep;
  }

  /** Begins a part with this number of steps. */
  begin(part: JoinPart, total: number): void {
    this.#part = part;
    this.#done = 0;
    this.#total = total;
    this.#onStep?.(part, 0, total);
  }

  /** Counts a step. If the call returns a promise, await that promise before the next step. */
  next(): Promise<void> | undefined {
    this.#done += 1;
    this.#onStep?.(this.#part, this.#done, this.#total);
    return this.pause();
  }

  /** Returns a promise if it is time for other work; await it. */
  pause(): Promise<void> | undefined {
    return performance.now() - this.#paused < longest ? undefined : this.#pause();
  }

  async #pause(): Promise<void> {
    await setImmediate();
    this.#paused = performance.now();
  }
}
