/**
 * Finds, by their words, pairs of statements that may have the same meaning or contradict each other. The time grows linearly with the
 * number of statements, because a word in many statements yields no pairs by itself, and only two such words together may.
 */
import { areAboutTheSame, isPartOf } from "../claims/wording/compare-wordings.ts";
import type { Wording } from "../claims/wording/read-wording.ts";

/** Two statements by their indexes in the list, the lower index first. */
export interface NeighbourPair {
  readonly a: number;
  readonly b: number;
  /** The similarity, from 0 to 1. */
  readonly similarity: number;
}

interface NeighbourOptions {
  /** The maximum number of neighbours of a statement. Default: 8. */
  readonly max?: number | undefined;
  /** The minimum similarity of statements with different subjects. Default: 0.2. */
  readonly minSimilarity?: number | undefined;
}

/** The maximum number of statements with a common word. Longer lists are ignored. */
const maxListLength = 64;
/** How many of a statement's rarest words are combined into pairs. */
const combinedWords = 7;
/** The number of neighbours on each side, in alphabetical order of the rarest words. */
const window = 4;

/** Returns the pairs, the most similar first. The order of the statements affects only the indexes in the result. */
export function findNeighbours(wordings: readonly Wording[], options: NeighbourOptions = {}): readonly NeighbourPair[] {
  return new NeighbourSearch(wordings, options).run();
}

class NeighbourSearch {
  readonly #wordings: readonly Wording[];
  readonly #max: number;
  readonly #min: number;
  /** The words of each statement by number, the rarest first. */
  readonly #words: readonly Int32Array[];
  readonly #weights: Float64Array;
  readonly #lengths: Float64Array;

  constructor(wordings: readonly Wording[], { max = 8, minSimilarity = 0.2 }: NeighbourOptions) {
    this.#wordings = wordings;
    this.#max = max;
    this.#min = minSimilarity;
    const { words, weights } = numberWords(wordings);
    this.#words = words;
    this.#weights = weights;
    this.#lengths = Float64Array.from(words, (each) => Math.sqrt(sum(each, (word) => this.#square(word))));
  }

  run(): readonly NeighbourPair[] {
    const lists = [...this.#lists(), ...this.#windows()];
    const listsOf: number[][] = this.#words.map(() => []);
    for (const [index, list] of lists.entries()) for (const place of list) listsOf[place]?.push(index);
    const pairs = new Map<number, NeighbourPair>();
    for (const place of this.#words.keys()) {
      const others = new Set<number>();
      for (const index of listsOf[place] ?? []) for (const other of lists[index] ?? []) others.add(other);
      others.delete(place);
      for (const pair of this.#best(place, others)) pairs.set(pair.a * this.#words.length + pair.b, pair);
    }
    return [...pairs.values()].sort((x, y) => y.similarity - x.similarity || x.a - y.a || x.b - y.b);
  }

  /** Groups of statements that share a rare word, a pair of words, or a subject. */
  #lists(): readonly (readonly number[])[] {
    const lists = new Map<string | number, number[]>();
    const add = (key: string | number, place: number) => {
      const list = lists.get(key);
      if (list === undefined) lists.set(key, [place]);
      else if (list.length <= maxListLength) list.push(place);
    };
    const size = this.#weights.length;
    for (const [place, words] of this.#words.entries()) {
      for (const word of words) add(word, place);
      const rare = words.subarray(0, combinedWords);
      for (const [index, word] of rare.entries())
        for (const other of rare.subarray(index + 1))
          add(size + Math.min(word, other) * size + Math.max(word, other), place);
      const subject = this.#wordings[place]?.subject ?? new Set();
      add([...subject].sort().join(" "), place);
    }
    return [...lists.values()].filter(({ length }) => length > 1 && length <= maxListLength);
  }

  /** Groups of adjacent statements in alphabetical order, for statements with common words only. */
  #windows(): readonly (readonly number[])[] {
    const keyed = Array.from(this.#wordings, ({ subject, form }, place) => {
      return {
        place,
        key: `${[...subject].sort().join(" ")} ${Array.from(this.#words[place] ?? []).join(" ")} ${form}`,
      };
    });
    const order = keyed.sort((x, y) => (x.key < y.key ? -1 : x.key > y.key ? 1 : 0)).map(({ place }) => place);
    return order.map((_, index) => order.slice(index, index + window + 1));
  }

  #best(place: number, others: ReadonlySet<number>): readonly NeighbourPair[] {
    const own = this.#wordings[place];
    const found: NeighbourPair[] = [];
    for (const other of others) {
      const theirs = this.#wordings[other];
      if (own === undefined || theirs === undefined || !areAboutTheSame(own, theirs)) continue;
      const similarity = this.#similarity(place, other);
      if (similarity < this.#min && !isPartOf(own.subject, theirs.subject)) continue;
      found.push({ a: Math.min(place, other), b: Math.max(place, other), similarity });
    }
    return found.sort((x, y) => y.similarity - x.similarity || x.a - y.a || x.b - y.b).slice(0, this.#max);
  }

  #similarity(a: number, b: number): number {
    const [ours, theirs] = [this.#words[a] ?? new Int32Array(), new Set(this.#words[b])];
    const shared = sum(ours, (word) => (theirs.has(word) ? this.#square(word) : 0));
    return shared / ((this.#lengths[a] ?? 1) * (this.#lengths[b] ?? 1) || 1);
  }

  #square(word: number): number {
    return (this.#weights[word] ?? 0) ** 2;
  }
}

/** Numbers the words, and gives rarer words larger weights. */
function numberWords(wordings: readonly Wording[]): { words: readonly Int32Array[]; weights: Float64Array } {
  const counts = new Map<string, number>();
  for (const { stems } of wordings) for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const sorted = [...counts].sort(([x, m], [y, n]) => m - n || (x < y ? -1 : 1));
  const numbers = new Map(sorted.map(([stem], index) => [stem, index]));
  const weights = Float64Array.from(sorted, ([, count]) => Math.log(1 + wordings.length / count));
  const words = wordings.map(({ stems }) => Int32Array.from(stems, (stem) => numbers.get(stem) ?? 0).sort());
  return { words, weights };
}

function sum(words: Int32Array, value: (word: number) => number): number {
  let total = 0;
  for (const word of words) total += value(word);
  return total;
}
