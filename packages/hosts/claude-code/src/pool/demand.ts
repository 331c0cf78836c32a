/** The number of kinds to remember; the least recently requested is forgotten first. */
const rememberedKinds = 32;

/** Counts the kinds of call that repeat. If a kind repeats, starting a process for it ahead of the next call pays off. */
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
