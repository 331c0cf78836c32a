/** The number of kinds of calls to remember. The least recently requested kind is forgotten first. */
const rememberedKinds = 32;

/** Counts repeated kinds of calls. If a kind repeats, it pays off to start a process for it before the next call. */
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
