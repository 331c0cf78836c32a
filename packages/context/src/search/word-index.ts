/** A word index in memory. Entries are replaced as a whole, so that a search never waits for an update. */
import type { SearchEntry } from "../facts/entry-kind.ts";
import { searchWords } from "../facts/search-words.ts";
import type { QueryWord } from "./function-words.ts";
import { SearchVocabulary } from "./related-words.ts";

interface Postings {
  /** The numbers of the entries with the word, ascending. */
  readonly entries: number[];
  /** The weighted frequency of the word in each of these entries. */
  readonly frequencies: number[];
}

export interface RankedEntry {
  readonly key: string;
  readonly score: number;
}

export interface WordHit extends RankedEntry {
  /** Whether the entry contains all words of the query, in any form. */
  readonly isComplete: boolean;
}

/** The possible meanings of a word of a query. */
export interface Expansion {
  /** The positions of the query's words that the word stands for. */
  readonly places: readonly number[];
  /** The words of the index that it may mean, with their weights. */
  readonly words: ReadonlyMap<string, number>;
}

interface EntryScore {
  /** The best score for each word of the query. */
  readonly byPlaces: Map<string, number>;
  readonly found: Set<number>;
}

/**
 * Constants of BM25: how soon repetitions of a word stop adding to the score, and how much the length of a field lowers the weight of its
 * words.
 */
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

  /** Updates the vocabulary. Call this after entries were changed. Until then, new words are found only by their exact spelling. */
  refreshVocabulary(): void {
    this.#vocabulary = new SearchVocabulary(this.#postings.keys());
  }

  /** Returns the words of the index that each word of a query may mean, with their weights. */
  expand(query: readonly QueryWord[]): readonly Expansion[] {
    const expansions = query.map(({ word, places }) => ({ places, words: this.#related(word, places.length > 1) }));
    const single = query.filter(({ places }) => places.length === 1);
    for (const [index, words] of this.#vocabulary.joined(single.map(({ word }) => word)).entries()) {
      if (words.size > 0) expansions.push({ places: single[index]?.places ?? [], words });
    }
    return expansions;
  }

  #related(word: string, isName: boolean): ReadonlyMap<string, number> {
    const related = isName ? this.#vocabulary.relatedName(word) : this.#vocabulary.related(word);
    return related.size === 0 && this.#postings.has(word) ? new Map([[word, 1]]) : related;
  }

  /**
   * Finds entries that contain words of the query, best first. An entry with several of the words ranks above an entry that repeats a
   * single one. `isWanted` is called for each entry.
   */
  search(expansions: readonly Expansion[], isWanted: (key: string) => boolean): WordHit[] {
    const scores = new Map<number, EntryScore>();
    for (const expansion of expansions) this.#addScores(expansion, scores);
    const places = new Set(expansions.flatMap((each) => each.places)).size;
    return Array.from(scores, ([number, score]) => toHit(this.#keys.get(number)?.key ?? "", score, places))
      .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
      .filter(({ key }) => isWanted(key));
  }

  #addScores(expansion: Expansion, scores: Map<number, EntryScore>): void {
    for (const [number, score] of this.#scoreWord(expansion.words)) {
      const entry = scores.get(number) ?? { byPlaces: new Map(), found: new Set() };
      const key = expansion.places.join();
      entry.byPlaces.set(key, Math.max(score, entry.byPlaces.get(key) ?? 0));
      for (const place of expansion.places) entry.found.add(place);
      scores.set(number, entry);
    }
  }

  /** Scores each entry by its best match for one word of a query. The rarity is that of all related words together. */
  #scoreWord(expansion: ReadonlyMap<string, number>): Map<number, number> {
    const best = new Map<number, number>();
    const weights = new Map<number, number>();
    for (const [word, weight] of expansion) {
      const { entries, frequencies } = this.#postings.get(word) ?? { entries: [], frequencies: [] };
      for (const [index, number] of entries.entries()) {
        const frequency = frequencies[index] ?? 0;
        const score = (weight * frequency * (saturation + 1)) / (frequency + saturation);
        if (score > (best.get(number) ?? 0)) best.set(number, score);
        if (weight > (weights.get(number) ?? 0)) weights.set(number, weight);
      }
    }
    const count = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
    const rarity = Math.log(1 + (this.#numbers.size - count + 0.5) / (count + 0.5));
    for (const [number, score] of best) best.set(number, score * rarity);
    return best;
  }
}

function toHit(key: string, { byPlaces, found }: EntryScore, places: number): WordHit {
  const sum = [...byPlaces.values()].reduce((total, each) => total + each, 0);
  return { key, score: sum * Math.sqrt(found.size / places), isComplete: found.size === places };
}

/** Caches the words of texts, because names and comments recur in a warehouse, and segmentation takes time. */
class KnownWords {
  readonly #words = new Map<string, readonly string[]>();

  of(text: string): readonly string[] {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    const words = searchWords(text.slice(0, maxTextLength));
    if (this.#words.size >= maxKnown) this.#words.clear();
    this.#words.set(text, words);
    return words;
  }
}

/** The maximum length of an indexed text. The rest of a longer text is not searched. */
const maxTextLength = 2000;
const maxKnown = 20_000;

/**
 * Returns the frequency of each word, weighted by field (BM25F). Field lengths are compared with a constant usual length, so that updates
 * of other entries do not change the frequencies.
 */
function weighWords({ fields }: Pick<SearchEntry, "fields">, known: KnownWords): ReadonlyMap<string, number> {
  const frequencies = new Map<string, number>();
  for (const { texts, weight, usualLength } of fields) {
    const words = texts.flatMap((text) => known.of(text));
    const share = weight / (1 - lengthShare + lengthShare * (words.length / usualLength));
    for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + share);
  }
  return frequencies;
}
