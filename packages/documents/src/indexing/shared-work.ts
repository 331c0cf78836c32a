/** One of several that wait for the same work. */
interface Waiting {
  readonly signal?: AbortSignal;
}

/**
 * Work that is done once for all who ask for it meanwhile. Whoever stops waiting is told at once; the work itself is
 * stopped when nobody waits for it any more, and never done twice at a time.
 */
export function createSharedWork<W extends Waiting, T>(work: (all: ReadonlySet<W>, signal: AbortSignal) => Promise<T>) {
  let before: Promise<unknown> = Promise.resolve();
  let running: { readonly result: Promise<T>; readonly waiting: Set<W>; readonly stop: AbortController } | undefined;

  function start() {
    const [waiting, stop] = [new Set<W>(), new AbortController()];
    const result = before.then(() => work(waiting, stop.signal)).finally(() => leave(stop));
    before = result.catch(() => {}); // those who wait are told
    return { result, waiting, stop };
  }

  function leave(stop: AbortController): void {
    if (running?.stop === stop) running = undefined;
  }

  async function join(wish: W): Promise<T> {
    wish.signal?.throwIfAborted();
    running ??= start();
    const { result, waiting, stop } = running;
    waiting.add(wish);
    try {
      return await untilAborted(result, wish.signal);
    } finally {
      waiting.delete(wish);
      if (waiting.size === 0) {
        stop.abort(wish.signal?.reason);
        leave(stop);
      }
    }
  }

  /** Ends what is under way, and resolves when it has ended. */
  function stop(): Promise<unknown> {
    running?.stop.abort(new Error("The work was stopped."));
    return before;
  }

  /** `settled` resolves when nothing is under way. */
  return { join, stop, settled: () => before };
}

function untilAborted<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return result;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
