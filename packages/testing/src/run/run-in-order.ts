/**
 * Runs `work` for each item in order, `parallel` at a time. No work starts after `isOver` returns true or after a failure. Rejects
 * with the first failure when all started work has ended.
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
