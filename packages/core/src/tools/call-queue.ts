/**
 * Creates a queue that runs parallel calls concurrently and all others one after another, in the order of arrival: a parallel call waits
 * for the exclusive calls before it, an exclusive call for all calls before it.
 */
export function createCallQueue(): <T>(isParallel: boolean, run: () => Promise<T>) => Promise<T> {
  let lastExclusive: Promise<unknown> = Promise.resolve();
  let parallel: Promise<unknown>[] = [];

  return (isParallel, run) => {
    const before = isParallel ? lastExclusive : Promise.allSettled([lastExclusive, ...parallel]);
    const call = before.then(run, run);
    const settled = call.catch(() => {});
    if (isParallel) {
      parallel.push(settled);
    } else {
      lastExclusive = settled;
      parallel = [];
    }
    return call;
  };
}
