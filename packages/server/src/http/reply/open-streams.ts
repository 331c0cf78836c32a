import { RequestProblem } from "../problem.ts";

/** Counts the streams that are open. */
export class OpenStreams {
  readonly #most: number;
  #open = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#open;
  }

  /** Takes a place until the returned function is called. @throws RequestProblem if there is none. */
  take(): () => void {
    if (this.#open >= this.#most) throw this.#tooMany();
    this.#open += 1;
    let isFree = false;
    return () => {
      if (!isFree) this.#open -= 1;
      isFree = true;
    };
  }

  #tooMany(): RequestProblem {
    const message = `${this.#most} streams are open already. Close one, and try again.`;
    return new RequestProblem(
      503,
      "too-many-streams",
      message,
      { limit: this.#most, retryAfterMs: 1000 },
      { "retry-after": "1" },
    );
  }
}
