/** Runs the work for all items, `limit` at the same time. After a failure no more items start; rejects with the first one. */
export async function forEachInParallel<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const remaining = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async () => {
    for (let next = remaining.next(); !next.done && failures.length === 0; next = remaining.next())
      await work(next.value).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (failures.length > 0) throw failures[0];
}
