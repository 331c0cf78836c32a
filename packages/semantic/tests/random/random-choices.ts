/** Random choices that a seed makes repeatable. */
export class RandomChoices {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  int(min: number, max: number): number {
    return min + Math.floor(this.#next() * (max - min + 1));
  }

  chance(percent: number): boolean {
    return this.#next() * 100 < percent;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new Error("There is nothing to choose from.");
    return item;
  }

  /** Returns up to `max` different items, in a random order. */
  some<Item>(items: readonly Item[], max: number): readonly Item[] {
    const left = [...items];
    const chosen: Item[] = [];
    for (let count = Math.min(this.int(0, max), items.length); count > 0; count -= 1)
      chosen.push(...left.splice(this.int(0, left.length - 1), 1));
    return chosen;
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}
