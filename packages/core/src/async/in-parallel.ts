export interface ParallelOptions {
  /** The maximum number of items in progress. */
  readonly parallel: number;
  /** Aborts the work in progress; no more work starts. */
  readonly signal?: AbortSignal | undefined;
  /** Once `isOver` returns true, no more work starts, but the work in progress continues. Default: never. */
  readonly isOver?: (() => boolean) | undefined;
}

/**
 * Runs `work` on each item, in order, at most `parallel` items at a time. The first failure, or `signal`, aborts the
 * signal of the work in progress, and no more work starts. The promise rejects with that first cause when all started
 * work has ended.
 */
export async function forEachInParallel<Item>(
  items: Iterable<Item>,
  { parallel, signal, isOver = () => false }: ParallelOptions,
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failure = new AbortController();
  const ended = signal === undefined ? failure.signal : AbortSignal.any([signal, failure.signal]);
  const queue = items[Symbol.iterator]();
  async function worker(): Promise<void> {
    while (!isOver()) {
      ended.throwIfAborted();
      const next = queue.next();
      if (next.done) return;
      await work(next.value, ended);
    }
  }
  await Promise.all(Array.from({ length: parallel }, () => worker().catch((error: unknown) => failure.abort(error))));
  ended.throwIfAborted();
}

/**
 * Works like `forEachInParallel`, and returns the results in the order of the items.
 *
 * @example await inParallel(urls, { parallel: 4 }, (url, signal) => fetch(url, { signal }))
 */
export async function inParallel<Item, Result>(
  items: Iterable<Item>,
  options: Omit<ParallelOptions, "isOver">,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  await forEachInParallel([...items].entries(), options, async ([index, item], signal) => {
    results[index] = await work(item, signal);
  });
  return results;
}
