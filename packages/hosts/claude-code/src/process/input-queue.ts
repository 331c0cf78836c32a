/**
 * Items that are pushed here come out there, once and in order; the reader waits while there is none. What was read is
 * forgotten: a process serves many calls, and their prompts may be large.
 */
export interface InputQueue<T> extends AsyncIterable<T> {
  push(item: T): void;
  end(): void;
}

export function createInputQueue<T>(): InputQueue<T> {
  const items: T[] = [];
  let ended = false;
  let change = Promise.withResolvers<void>();

  function announce(): void {
    change.resolve();
    change = Promise.withResolvers();
  }

  return {
    push(item) {
      items.push(item);
      announce();
    },
    end() {
      ended = true;
      announce();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const item = items.shift();
        if (item !== undefined) yield item;
        else if (ended) return;
        else await change.promise;
      }
    },
  };
}
