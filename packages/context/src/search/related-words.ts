/**
 * Finds words of an index that are related to a word of a query: the same word, an inflection, an abbreviation, a part or a misspelling.
 * Pure.
 */

import { findMisspelt } from "./misspelt-words.ts";
import { isAbbreviation, isInflection, stemsOf } from "./word-forms.ts";
import { WordList } from "./word-list.ts";

/** The weight of a related word by its relation, from 0 to 1. */
const weights = { inflection: 0.8, abbreviation: 0.6, ofStem: 0.5, joined: 0.85, compound: 0.5, part: 0.6 };

/** The maximum number of words that contain a word. A part that more words contain reveals little. */
const maxRelated = 1000;

/** The maximum number of examined words that contain a word of the query. */
const maxContaining = 2000;

/** The maximum number of words, by prefix or part, to examine when searching for a word that joins several query words. */
const maxJoined = 200;

/** All words of an index, for searches by beginning, end and part. */
export class SearchVocabulary {
  readonly #words: WordList;

  constructor(words: Iterable<string>) {
    this.#words = new WordList(words);
  }

  get size(): number {
    return this.#words.size;
  }

  has(word: string): boolean {
    return this.#words.has(word);
  }

  /** Finds words for a name that joins several words of a query: exact, inflected, as a part, or misspelled. */
  relatedName(name: string): ReadonlyMap<string, number> {
    const found = new BestWeights(this.#containing(name));
    for (const other of this.#words.startingWith(name.slice(0, 3))) {
      if (isInflection(name, other)) found.add(other, weights.inflection);
    }
    if (this.#words.has(name)) found.add(name, 1);
    if (found.size > 0) return found;
    for (const { meant, weight } of findMisspelt(name, this.#words)) found.add(meant, weight);
    return found;
  }

  /** Finds the words that a word of a query may mean, with their weights, the strongest first. */
  related(word: string): ReadonlyMap<string, number> {
    const found = this.#spelt(word);
    const isKnown = [...found.values()].some((weight) => weight > weights.abbreviation);
    for (const { meant, weight, isWhole } of isKnown ? [] : findMisspelt(word, this.#words)) {
      const related = isWhole ? this.#spelt(meant) : new Map([[meant, 1]]);
      for (const [other, share] of related) found.add(other, share * weight);
    }
    for (const part of this.#partsOf(word)) found.add(part, weights.part);
    return strongest(found);
  }

  /**
   * Finds words that join several words of a query or abbreviations of them, such as `custorderhdr` for a customer, an order and a header.
   * Returns one map for each word of the query.
   */
  joined(words: readonly string[]): readonly ReadonlyMap<string, number>[] {
    const found = words.map(() => new BestWeights());
    const long = words.filter((word) => word.length >= 3);
    if (long.length < 2) return found;
    for (const candidate of new Set(long.flatMap((word) => [...this.#mayBeJoined(word)]))) {
      const pieces = this.#divide(candidate, words);
      if (new Set(pieces?.map(({ index }) => index)).size < 2) continue;
      for (const { index, weight } of pieces ?? []) found[index]?.add(candidate, weight * weights.joined);
    }
    return found;
  }

  #spelt(word: string): BestWeights {
    const found = new BestWeights();
    if (this.#words.has(word)) found.add(word, 1);
    const [, ...stems] = stemsOf(word);
    for (const other of word.length > 1 ? this.#words.startingWith(word.slice(0, 1)) : []) {
      found.add(other, relation(word, other));
      if (stems.some((stem) => isAbbreviation(other, stem))) found.add(other, weights.ofStem);
    }
    const same = [...found].filter(([, weight]) => weight >= weights.inflection).map(([other]) => other);
    for (const part of shortest([...stemsOf(word), ...same])) {
      const share = part === word ? 1 : weights.inflection;
      for (const [other, weight] of this.#containing(part)) found.add(other, weight * share);
    }
    return found;
  }

  /** Finds `Kundenadresse` for `adresse`, for example, with a higher weight if the rest consists of words, too. */
  *#containing(part: string): Iterable<readonly [string, number]> {
    if (part.length < 4) return;
    for (const { word, at } of this.#words.containing(part, maxContaining)) {
      const [before, after] = [word.slice(0, at), word.slice(at + part.length)];
      const isInside = before !== "" && after !== "";
      if (this.#isDivisible(before) && this.#isDivisible(after)) yield [word, weights.joined];
      else if (!isInside || (part.length >= 5 && before.length > 1 && after.length > 1)) yield [word, weights.compound];
    }
  }

  /** Finds `adresse` for `Kundenadresse`, and both words of `orderaddress` if they are known. */
  *#partsOf(word: string): Iterable<string> {
    for (let start = 1; start <= word.length - 4; start++) {
      const end = word.slice(start);
      if (!this.#words.has(end)) continue;
      yield end;
      const before = word.slice(0, start);
      if (before.length >= 4 && this.#words.has(before)) yield before;
    }
  }

  /** Whether a string is empty or consists of one or two words. */
  #isDivisible(text: string): boolean {
    if (text === "" || (text.length >= 3 && this.#words.has(text))) return true;
    for (let at = 3; at <= text.length - 3; at++) {
      if (this.#words.has(text.slice(0, at)) && this.#words.has(text.slice(at))) return true;
    }
    return false;
  }

  *#mayBeJoined(word: string): Iterable<string> {
    const isLonger = (other: string) => other.length > 5 && other !== word;
    let count = 0;
    for (const other of this.#words.startingWith(word.slice(0, 3))) {
      if (count++ > maxJoined) break;
      if (isLonger(other)) yield other;
    }
    if (word.length < 4) return;
    for (const { word: other } of this.#words.containing(word, maxJoined)) if (isLonger(other)) yield other;
  }

  /** Divides a word into pieces that each mean a word of the query or are words of the index; undefined if that is impossible. */
  #divide(candidate: string, words: readonly string[], from = 0, depth = 0): readonly Piece[] | undefined {
    if (from === candidate.length) return [];
    if (depth === 5) return undefined;
    for (let end = Math.min(candidate.length, from + 20); end >= from + 2; end--) {
      const text = candidate.slice(from, end);
      const piece = pieceOf(text, words);
      if (piece === undefined && (text.length < 3 || text === candidate || !this.#words.has(text))) continue;
      const rest = this.#divide(candidate, words, end, depth + 1);
      if (rest !== undefined) return piece === undefined ? rest : [piece, ...rest];
    }
    return undefined;
  }
}

interface Piece {
  /** The position of the query's word. */
  readonly index: number;
  readonly weight: number;
}

function pieceOf(text: string, words: readonly string[]): Piece | undefined {
  let best: Piece | undefined;
  for (const [index, word] of words.entries()) {
    if (word[0] !== text[0]) continue;
    const weight = Math.max(...stemsOf(word).map((stem) => weighPiece(text, stem)));
    if (weight > (best?.weight ?? 0)) best = { index, weight };
  }
  return best;
}

function weighPiece(text: string, stem: string): number {
  if (stemsOf(text).includes(stem)) return 1;
  return isAbbreviation(text, stem) ? weights.abbreviation : 0;
}

class BestWeights extends Map<string, number> {
  add(word: string, weight: number): void {
    if (weight > (this.get(word) ?? 0)) this.set(word, weight);
  }
}

function strongest(found: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...found].sort(([, a], [, b]) => b - a).slice(0, maxRelated));
}

/** Removes words that contain another word of the list: such words add nothing to a search for parts. */
function shortest(words: readonly string[]): readonly string[] {
  const all = [...new Set(words)];
  return all.filter((word) => !all.some((other) => other !== word && other.length >= 4 && word.includes(other)));
}

/** Returns the weight of `other` as a word related to `word`. Both begin with the same letter. */
function relation(word: string, other: string): number {
  if (other === word) return 1;
  if (isInflection(word, other)) return weights.inflection;
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  return isAbbreviation(short, long) ? weights.abbreviation : 0;
}
