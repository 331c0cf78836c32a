/**
 * Does work for each item, `parallel` at a time, begun in their order; nothing more is begun once `isOver`. Rejects with
 * what the first work to fail rejected with, when all that had begun has ended; nothing more is begun then, either.
 */
export async function runInOrder<T>(
  items: readonly T[],
  { parallel, isOver }: { readonly parallel: number; isOver(): boolean },
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const item of waiting) {
      if (isOver() || failures.length > 0) return;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
}
