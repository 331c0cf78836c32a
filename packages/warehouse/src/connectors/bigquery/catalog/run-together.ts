/**
 * The number of simultaneous requests. BigQuery allows 100 requests per second and account, and each request takes about a tenth of a
 * second.
 */
const together = 8;

/** Calls `work` for each item, a few at a time, and returns the results in the order of the items. */
export async function runTogether<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = new Array(items.length);
  const waiting = items.entries();
  const run = async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(together, items.length) }, run));
  return results;
}
