/**
 * Does the work on each item, at most `parallel` at the same time, and gives the results in the order of the items.
 * The first failure, or `signal`, aborts what is under way, and nothing further is begun; it rejects with that first
 * cause once all that was begun has ended.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  parallel: number,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const failure = new AbortController();
  const ended = AbortSignal.any([signal, failure.signal]);
  const results: Result[] = [];
  const queue = items.entries();
  async function worker(): Promise<void> {
    for (const [index, item] of queue) {
      ended.throwIfAborted();
      results[index] = await work(item, ended);
    }
  }
  const workers = Array.from({ length: Math.min(parallel, items.length) }, () =>
    worker().catch((error: unknown) => failure.abort(error)),
  );
  await Promise.all(workers);
  ended.throwIfAborted();
  return results;
}
