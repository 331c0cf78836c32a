/** The number of kinds of calls to remember. The least recently requested kind is forgotten first. */
const rememberedKinds = 32;

/** Counts how often each kind of call repeats. For a kind that repeats, starting a process before the next call saves time. */
export class Demand {
  readonly #calls = new Map<string, number>();

  note(key: string): void {
    const before = this.#calls.get(key) ?? 0;
    this.#calls.delete(key);
    this.#calls.set(key, before + 1);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > rememberedKinds && oldest !== undefined) this.#calls.delete(oldest);
  }

  isRepeated(key: string): boolean {
    return (this.#calls.get(key) ?? 0) > 1;
  }
}
