import { setTimeout } from "node:timers/promises";

/** A text that is polled while it has followers. All followers share the polling. Without followers, nothing is read. */
export class SharedTopic {
  readonly #read: () => Promise<string>;
  readonly #lookMs: number;
  #viewers = 0;
  #text: string | undefined;
  #changed = createChange();
  #watching = new AbortController();

  /** `lookMs`: the polling interval in milliseconds. */
  constructor(read: () => Promise<string>, lookMs: number) {
    this.#read = read;
    this.#lookMs = lookMs;
  }

  /** Yields the text initially and whenever it changes, until the signal is aborted. Throws if it cannot be read. */
  async *follow(signal: AbortSignal): AsyncGenerator<string> {
    this.#enter();
    try {
      for (let sent: string | undefined; !signal.aborted; ) {
        const changed = this.#changed.promise;
        if (this.#text === sent) await orAborted(changed, signal);
        else if (this.#text !== undefined) {
          sent = this.#text;
          yield sent;
        }
      }
    } finally {
      this.#leave();
    }
  }

  #enter(): void {
    this.#viewers += 1;
    if (this.#viewers > 1) return;
    this.#text = undefined;
    this.#watching = new AbortController();
    void this.#watch(this.#watching.signal);
  }

  #leave(): void {
    this.#viewers -= 1;
    if (this.#viewers === 0) this.#watching.abort();
  }

  async #watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#look(signal);
      await setTimeout(this.#lookMs, undefined, { signal }).catch(() => {});
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    try {
      const text = await this.#read();
      if (signal.aborted || text === this.#text) return;
      this.#text = text;
      this.#change().resolve();
    } catch (error) {
      if (!signal.aborted) this.#change().reject(error);
    }
  }

  /** Returns the pending change that all followers wait for. */
  #change(): PromiseWithResolvers<void> {
    const change = this.#changed;
    this.#changed = createChange();
    return change;
  }
}

function createChange(): PromiseWithResolvers<void> {
  const change = Promise.withResolvers<void>();
  change.promise.catch(() => {}); // there may be no follower when it fails
  return change;
}

async function orAborted(changed: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const onAbort = () => aborted.resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([changed, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
