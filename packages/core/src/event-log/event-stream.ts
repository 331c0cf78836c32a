/** A growing list. Any number of readers read it from the beginning, each at its own pace. Writing never waits for a reader. */
export interface EventStream<E> extends AsyncIterable<E> {
  push(event: E): void;
  end(): void;
}

export function createEventStream<E>(): EventStream<E> {
  const events: E[] = [];
  let ended = false;
  let change = Promise.withResolvers<void>();

  function announce(): void {
    change.resolve();
    change = Promise.withResolvers();
  }

  return {
    push(event) {
      if (ended) return;
      events.push(event);
      announce();
    },
    end() {
      ended = true;
      announce();
    },
    async *[Symbol.asyncIterator]() {
      for (let index = 0; ; index++) {
        while (index >= events.length) {
          if (ended) return;
          await change.promise;
        }
        yield events[index] as E;
      }
    },
  };
}
