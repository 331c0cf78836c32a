import { TooManyRunsError } from "./serving-errors.ts";

/** The places for runs in progress of a server. */
export class RunSlots {
  readonly #most: number;
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a place until the returned function is called. Throws TooManyRunsError if there is none. */
  take(): () => void {
    if (this.#taken >= this.#most) throw new TooManyRunsError(this.#most);
    this.#taken += 1;
    return () => {
      this.#taken -= 1;
    };
  }
}
