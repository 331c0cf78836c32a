interface Offer<T> {
  readonly value: T;
  taken(): void;
}

/**
 * Merges several sources. The next value of a source is requested only after the consumer has taken the previous one, so at most
 * one value of each source is in memory. Fails if a source fails; ends when all sources have ended.
 */
export class MergedSources<T> implements AsyncIterable<T> {
  readonly #sources: readonly AsyncIterable<T>[];
  readonly #offers: Offer<T>[] = [];
  #changed = Promise.withResolvers<void>();
  #open: number;
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;

  constructor(sources: readonly AsyncIterable<T>[]) {
    this.#sources = sources;
    this.#open = sources.length;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (const source of this.#sources) void this.#pump(source);
    try {
      for (;;) {
        const offer = this.#offers.shift();
        if (offer) {
          yield offer.value;
          offer.taken();
        } else if (this.#failure) throw this.#failure.error;
        else if (this.#open === 0) return;
        else await this.#nextChange();
      }
    } finally {
      this.#isOver = true;
      for (const { taken } of this.#offers.splice(0)) taken();
    }
  }

  async #pump(source: AsyncIterable<T>): Promise<void> {
    try {
      for await (const value of source) {
        if (this.#isOver) return;
        await this.#offer(value);
      }
    } catch (error) {
      this.#failure ??= { error };
    } finally {
      this.#open -= 1;
      this.#changed.resolve();
    }
  }

  #offer(value: T): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#offers.push({ value, taken: resolve });
    this.#changed.resolve();
    return promise;
  }

  async #nextChange(): Promise<void> {
    await this.#changed.promise;
    this.#changed = Promise.withResolvers();
  }
}
