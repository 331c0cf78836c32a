/** An index of words in memory. An entry is replaced as a whole and at once, so that a search never waits for an update. */
import type { SearchEntry } from "./entry-kind.ts";
import { SearchVocabulary } from "./related-words.ts";
import { searchWords } from "./search-words.ts";

interface Postings {
  /** Numbers of entries, ascending. */
  readonly entries: number[];
  /** The weighted frequency of the word in each. */
  readonly frequencies: number[];
}

export interface RankedEntry {
  readonly key: string;
  readonly score: number;
}

/** Constants of BM25: how soon more of the same word adds nothing, and how much a long field counts against its words. */
const [saturation, lengthShare] = [1.2, 0.6];

export class WordIndex {
  readonly #postings = new Map<string, Postings>();
  readonly #numbers = new Map<string, number>();
  readonly #keys = new Map<number, { readonly key: string; readonly words: readonly string[] }>();
  readonly #words = new KnownWords();
  #next = 0;
  #vocabulary = new SearchVocabulary([]);

  get size(): number {
    return this.#numbers.size;
  }

  /** Adds an entry, or replaces the one with the same key. */
  set(key: string, entry: Pick<SearchEntry, "fields">): void {
    this.delete(key);
    const number = this.#next++;
    const frequencies = weighWords(entry, this.#words);
    for (const [word, frequency] of frequencies) {
      const postings = this.#postings.get(word) ?? { entries: [], frequencies: [] };
      postings.entries.push(number);
      postings.frequencies.push(frequency);
      this.#postings.set(word, postings);
    }
    this.#numbers.set(key, number);
    this.#keys.set(number, { key, words: [...frequencies.keys()] });
  }

  delete(key: string): void {
    const number = this.#numbers.get(key);
    if (number === undefined) return;
    for (const word of this.#keys.get(number)?.words ?? []) this.#remove(word, number);
    this.#numbers.delete(key);
    this.#keys.delete(number);
  }

  #remove(word: string, number: number): void {
    const postings = this.#postings.get(word);
    if (postings === undefined) return;
    const index = postings.entries.lastIndexOf(number);
    postings.entries.splice(index, 1);
    postings.frequencies.splice(index, 1);
    if (postings.entries.length === 0) this.#postings.delete(word);
  }

  /** Call it after entries were changed. Until then, new words are found only as they are written. */
  refreshVocabulary(): void {
    this.#vocabulary = new SearchVocabulary(this.#postings.keys());
  }

  /** The words of the index that each word of a query means, with their weights. */
  expand(words: readonly string[]): readonly ReadonlyMap<string, number>[] {
    return words.map((word) => {
      const related = this.#vocabulary.related(word);
      return related.size === 0 && this.#postings.has(word) ? new Map([[word, 1]]) : related;
    });
  }

  /** Entries in which words of the query occur, best first. `isWanted` is asked for each of them. */
  search(expansions: readonly ReadonlyMap<string, number>[], isWanted: (key: string) => boolean): RankedEntry[] {
    const scores = new Map<number, number>();
    for (const expansion of expansions) {
      for (const [number, score] of this.#scoreWord(expansion)) scores.set(number, (scores.get(number) ?? 0) + score);
    }
    return Array.from(scores, ([number, score]) => ({ key: this.#keys.get(number)?.key ?? "", score }))
      .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
      .filter(({ key }) => isWanted(key));
  }

  /** For one word of a query: each entry with its best related word. */
  #scoreWord(expansion: ReadonlyMap<string, number>): Map<number, number> {
    const best = new Map<number, number>();
    for (const [word, weight] of expansion) {
      const { entries, frequencies } = this.#postings.get(word) ?? { entries: [], frequencies: [] };
      const rarity = Math.log(1 + (this.#numbers.size - entries.length + 0.5) / (entries.length + 0.5));
      for (const [index, number] of entries.entries()) {
        const frequency = frequencies[index] ?? 0;
        const score = (weight * rarity * frequency * (saturation + 1)) / (frequency + saturation);
        if (score > (best.get(number) ?? 0)) best.set(number, score);
      }
    }
    return best;
  }
}

/** Names and comments occur again and again in a warehouse, and segmentation takes time. */
class KnownWords {
  readonly #words = new Map<string, readonly string[]>();

  of(text: string): readonly string[] {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    const words = searchWords(text.slice(0, longestText));
    if (this.#words.size >= mostKnown) this.#words.clear();
    this.#words.set(text, words);
    return words;
  }
}

/** The rest of a longer text is not searched. */
const longestText = 2000;
const mostKnown = 20_000;

/** The frequency of each word, weighted by its field (BM25F). Lengths are compared with a usual length, which no update changes. */
function weighWords({ fields }: Pick<SearchEntry, "fields">, known: KnownWords): ReadonlyMap<string, number> {
  const frequencies = new Map<string, number>();
  for (const { texts, weight, usualLength } of fields) {
    const words = texts.flatMap((text) => known.of(text));
    const share = weight / (1 - lengthShare + lengthShare * (words.length / usualLength));
    for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + share);
  }
  return frequencies;
}
