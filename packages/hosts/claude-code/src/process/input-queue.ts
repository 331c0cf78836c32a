/**
 * A queue that returns each item once, in order. Its reader waits while the queue is empty. Drops each item once it is read, because a
 * process serves many calls, and their prompts may be large.
 */
export class InputQueue<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  #isEnded = false;
  #change = Promise.withResolvers<void>();

  push(item: T): void {
    this.#items.push(item);
    this.#announce();
  }

  end(): void {
    this.#isEnded = true;
    this.#announce();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) yield item;
      else if (this.#isEnded) return;
      else await this.#change.promise;
    }
  }

  #announce(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }
}
