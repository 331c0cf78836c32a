interface Turn {
  readonly place: number;
  readonly begin: PromiseWithResolvers<void>;
}

/**
 * Schedules viewers that have a lot to read. Each iteration of the event loop reads one page at one position of one session, so that other
 * requests are not delayed. Viewers at the same position share the page. Turns alternate between the viewer that is furthest behind, so
 * that it catches up, and the viewer that has waited longest.
 */
export class ReadingTurns {
  /** The waiting turns by session and position, in the order in which they began to wait. */
  readonly #waiting = new Map<string, Turn>();
  #isOfFurthest = false;

  /** Resolves when a viewer may read after this event of a session. */
  next(sessionId: string, place: number): Promise<void> {
    const key = `${place}:${sessionId}`;
    const turn = this.#waiting.get(key) ?? { place, begin: Promise.withResolvers<void>() };
    this.#waiting.set(key, turn);
    if (this.#waiting.size === 1) setImmediate(() => this.#beginNext());
    return turn.begin.promise;
  }

  #beginNext(): void {
    this.#isOfFurthest = !this.#isOfFurthest;
    const [longest] = this.#waiting;
    const chosen = this.#isOfFurthest ? this.#findFurthest() : longest;
    if (chosen === undefined) return;
    const [key, { begin }] = chosen;
    this.#waiting.delete(key);
    if (this.#waiting.size > 0) setImmediate(() => this.#beginNext());
    begin.resolve();
  }

  #findFurthest(): readonly [key: string, turn: Turn] | undefined {
    let furthest: readonly [string, Turn] | undefined;
    for (const each of this.#waiting) if (furthest === undefined || each[1].place < furthest[1].place) furthest = each;
    return furthest;
  }
}
