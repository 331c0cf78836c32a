/** Which words of an index mean a word of a query: the same, an inflection, an abbreviation, a part, a misspelling. Pure. */

/** How much a word counts that is related in some way, from 0 to 1. */
const weights = { inflection: 0.8, abbreviation: 0.6, compound: 0.5, typo: 0.4 };

/** A word that is part of more others says little about any of them. */
const mostRelated = 200;

/** All words of an index, sorted, for searches by beginning and end. */
export class SearchVocabulary {
  readonly #words: readonly string[];
  readonly #reversed: readonly string[];
  readonly #known: ReadonlySet<string>;

  constructor(words: Iterable<string>) {
    this.#words = [...words].sort();
    this.#reversed = this.#words.map(reverse).sort();
    this.#known = new Set(this.#words);
  }

  get size(): number {
    return this.#words.length;
  }

  has(word: string): boolean {
    return this.#known.has(word);
  }

  /** The words that a word of a query means, with their weights, the strongest first. */
  related(word: string): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    const add = (other: string, weight: number) => {
      if (weight > (found.get(other) ?? 0)) found.set(other, weight);
    };
    const near = word.length > 1 ? [...startingWith(this.#words, word.slice(0, 1))] : [];
    if (this.#known.has(word)) add(word, 1);
    for (const other of near) add(other, relation(word, other));
    const same = [word, ...[...found].flatMap(([other, weight]) => (weight >= weights.inflection ? [other] : []))];
    for (const each of new Set(same)) for (const other of this.#containing(each)) add(other, weights.compound);
    if (found.size > 0) return strongest(found);
    for (const meant of near.filter((each) => isTypo(word, each))) {
      for (const [other, weight] of this.related(meant)) add(other, weight * weights.typo);
    }
    return strongest(found);
  }

  /** `Kundenadresse` for `adresse`, and `adresse` for `Kundenadresse`. */
  *#containing(word: string): Iterable<string> {
    if (word.length < 4) return;
    for (const other of startingWith(this.#words, word)) if (other.length > word.length) yield other;
    for (const other of startingWith(this.#reversed, reverse(word)))
      if (other.length > word.length) yield reverse(other);
    for (let start = 1; start <= word.length - 4; start++) {
      const end = word.slice(start);
      if (this.#known.has(end)) yield end;
    }
  }
}

function strongest(found: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...found].sort(([, a], [, b]) => b - a).slice(0, mostRelated));
}

/** How much `other` counts for `word`. Both begin with the same letter. */
function relation(word: string, other: string): number {
  if (other === word) return 1;
  if (isInflection(word, other)) return weights.inflection;
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  return isAbbreviation(short, long) ? weights.abbreviation : 0;
}

/** `order` and `orders`, `πελάτης` and `πελάτες`: the same stem, and endings of at most three letters. */
function isInflection(a: string, b: string): boolean {
  if (/\d/.test(a) || Math.abs(a.length - b.length) > 2) return false;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const rest = Math.max(a.length, b.length) - same;
  return same >= 3 && rest <= 3 && rest * 2 <= same;
}

/** `cust`, `cstmr` and `cmr` for `customer`: its beginning, or letters of it in order without vowels or with its last letter. */
export function isAbbreviation(short: string, long: string): boolean {
  if (short.length < 2 || short.length >= long.length || short[0] !== long[0] || /\d/.test(short)) return false;
  if (short.length === 2) return long.length <= 4 && isSubsequence(short, long) && !/[aeiouy]/.test(short.slice(1));
  if (long.startsWith(short)) return long.length - short.length >= 2;
  if (!isSubsequence(short, long)) return false;
  return !/[aeiou]/.test(short.slice(1)) || (short.at(-1) === long.at(-1) && short.length * 3 >= long.length);
}

function isSubsequence(short: string, long: string): boolean {
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length;
}

/** One letter more, less or other, or two exchanged, in a word of at least five. */
function isTypo(a: string, b: string): boolean {
  if (a.length < 5 || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return (left.length <= 1 && right.length <= 1) || (left.length === 2 && left === reverse(right));
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
