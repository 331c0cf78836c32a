/** Does the work on all items, so many at once. The first failure ends it, when what is under way has ended. */
export async function inParallel<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async () => {
    for (let next = left.next(); !next.done && failures.length === 0; next = left.next())
      await work(next.value).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failures.length > 0) throw failures[0];
}
