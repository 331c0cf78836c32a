/** Counts different values by their hash, in flat arrays that take about 40 bytes for each value, whatever its length. */
export class ValueCounter {
  /** The hash of each value, by its number. */
  #hashes = new Float64Array(16);
  #counts = new Uint32Array(16);
  /** For each position, the number of the value there plus one. The array's length is a power of two. */
  #places = new Uint32Array(32);
  #size = 0;

  /** The number of different values. */
  get size(): number {
    return this.#size;
  }

  /** Counts a value by its hash, a fraction from 0 to 1. Returns its number: values are numbered as they appear. */
  add(hash: number): number {
    const mask = this.#places.length - 1;
    let place = Math.floor(hash * 2 ** 32) & mask;
    for (let found = this.#places[place]; found !== undefined && found !== 0; found = this.#places[place]) {
      if (this.#hashes[found - 1] === hash) {
        this.#counts[found - 1] = (this.#counts[found - 1] ?? 0) + 1;
        return found - 1;
      }
      place = (place + 1) & mask;
    }
    const number = this.#size++;
    this.#places[place] = number + 1;
    if (number >= this.#hashes.length) this.#grow();
    this.#hashes[number] = hash;
    this.#counts[number] = 1;
    if (2 * this.#size > this.#places.length) this.#spread();
    return number;
  }

  count(number: number): number {
    return this.#counts[number] ?? 0;
  }

  hash(number: number): number {
    return this.#hashes[number] ?? 0;
  }

  /** Returns the numbers of all values, ordered by hash. */
  byHash(): Uint32Array {
    return Uint32Array.from({ length: this.#size }, (_, number) => number).sort(
      (a, b) => (this.#hashes[a] ?? 0) - (this.#hashes[b] ?? 0),
    );
  }

  #grow(): void {
    const hashes = new Float64Array(2 * this.#hashes.length);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    const counts = new Uint32Array(2 * this.#counts.length);
    counts.set(this.#counts);
    this.#counts = counts;
  }

  #spread(): void {
    const places = new Uint32Array(2 * this.#places.length);
    const mask = places.length - 1;
    for (let number = 0; number < this.#size; number++) {
      let place = Math.floor((this.#hashes[number] ?? 0) * 2 ** 32) & mask;
      while (places[place] !== 0) place = (place + 1) & mask;
      places[place] = number + 1;
    }
    this.#places = places;
  }
}
