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

  /** Runs while one more is open. @throws RequestProblem if there are too many. */
  async during(work: () => Promise<void>): Promise<void> {
    if (this.#open >= this.#most) throw this.tooMany();
    this.#open += 1;
    try {
      await work();
    } finally {
      this.#open -= 1;
    }
  }

  get isFull(): boolean {
    return this.#open >= this.#most;
  }

  tooMany(): RequestProblem {
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
