/**
 * Runs `work` on each item, at most `parallel` items at a time, and returns the results in the order of the items. The
 * first failure, or `signal`, aborts the work in progress, and no more work starts. The promise rejects with that first
 * cause when all started work has ended.
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
