/** Counts work in progress, so that callers can wait until all of it has ended. */
export class WorkInProgress {
  #count = 0;
  #none: PromiseWithResolvers<void> | undefined;

  get count(): number {
    return this.#count;
  }

  /** Counts one more piece of work until the returned function is called. */
  enter(): () => void {
    this.#count += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#count -= 1;
      if (this.#count > 0) return;
      this.#none?.resolve();
      this.#none = undefined;
    };
  }

  /** Resolves when no work is in progress. */
  async whenNone(): Promise<void> {
    if (this.#count === 0) return;
    this.#none ??= Promise.withResolvers<void>();
    await this.#none.promise;
  }

  /** Resolves when no work is in progress, or after this time. */
  async whenNoneWithin(ms: number): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, ms);
    await Promise.race([this.whenNone(), late.promise]);
    clearTimeout(timer);
  }
}
