/** Words in memory that are found by their beginning, their end and any part. */
export class WordList {
  readonly #words: readonly string[];
  readonly #reversed: readonly string[];
  readonly #known: ReadonlySet<string>;
  /** All words, each between two line feeds: one search in this string is faster than a search in each word. */
  readonly #text: string;

  constructor(words: Iterable<string>) {
    this.#words = [...words].sort();
    this.#reversed = this.#words.map(reverse).sort();
    this.#known = new Set(this.#words);
    this.#text = `\n${this.#words.join("\n")}\n`;
  }

  get size(): number {
    return this.#words.length;
  }

  has(word: string): boolean {
    return this.#known.has(word);
  }

  startingWith(prefix: string): Iterable<string> {
    return startingWith(this.#words, prefix);
  }

  *endingWith(suffix: string): Iterable<string> {
    for (const word of startingWith(this.#reversed, reverse(suffix))) yield reverse(word);
  }

  /** Finds at most `max` longer words that contain a part, each with the part's first position. */
  *containing(part: string, max: number): Iterable<{ readonly word: string; readonly at: number }> {
    if (part === "" || part.includes("\n")) return;
    let count = 0;
    for (let found = this.#text.indexOf(part); found !== -1 && count < max; count++) {
      const start = this.#text.lastIndexOf("\n", found) + 1;
      const end = this.#text.indexOf("\n", found);
      if (end - start > part.length) yield { word: this.#text.slice(start, end), at: found - start };
      found = this.#text.indexOf(part, end);
    }
  }
}

function* startingWith(sorted: readonly string[], prefix: string): Iterable<string> {
  for (let index = firstFrom(sorted, prefix); index < sorted.length; index++) {
    const word = sorted[index] ?? "";
    if (!word.startsWith(prefix)) return;
    yield word;
  }
}

function firstFrom(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

function reverse(word: string): string {
  return [...word].reverse().join("");
}
