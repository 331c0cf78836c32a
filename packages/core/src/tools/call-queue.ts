/**
 * Runs read-only calls in parallel and all others one after another, in the order of arrival: a reader waits for the writers
 * before it, a writer for all calls before it.
 */
export function createCallQueue(): <T>(readOnly: boolean, run: () => Promise<T>) => Promise<T> {
  let lastWriter: Promise<unknown> = Promise.resolve();
  let readers: Promise<unknown>[] = [];

  return (readOnly, run) => {
    const before = readOnly ? lastWriter : Promise.allSettled([lastWriter, ...readers]);
    const call = before.then(run, run);
    const settled = call.catch(() => {});
    if (readOnly) {
      readers.push(settled);
    } else {
      lastWriter = settled;
      readers = [];
    }
    return call;
  };
}
