/** Finds words of an index that a misspelled word may mean, by their distance in letters. Pure. */
import type { WordList } from "./word-list.ts";

/**
 * The weights of a similar word: `one` if one letter differs, `two` if two differ, and `part` if one letter differs from the beginning or
 * end of a longer word.
 */
const weights = { one: 0.7, two: 0.5, part: 0.4 };

/** The maximum number of compared words with the same beginning or end, so that a search takes bounded time. */
const maxCompared = 3000;

/** The maximum number of returned whole words and parts, nearest first. Words related to a whole word are looked up, too. */
const [maxWholeWords, maxParts] = [4, 100];

/** A word of the index that a misspelled word may mean. */
export interface MeantWord {
  readonly meant: string;
  readonly weight: number;
  /** Whether the whole word is meant, and not only its beginning or end. */
  readonly isWhole: boolean;
}

/**
 * Finds the words that differ in one letter (missing, wrong, extra or exchanged with its neighbor), or in two letters if the word has eight
 * or more. Two letters at the beginning or the end must be right, so that few words are compared.
 */
export function findMisspelt(word: string, words: WordList): readonly MeantWord[] {
  if (word.length < 4 || /\d/.test(word)) return [];
  const found = new Map<string, number>();
  for (const isEnd of [false, true]) {
    const candidates = isEnd ? words.endingWith(word.slice(-2)) : words.startingWith(word.slice(0, 2));
    let count = 0;
    for (const other of candidates) {
      if (count++ > maxCompared) break;
      const weight = weigh(word, other, isEnd);
      if (weight > (found.get(other) ?? 0)) found.set(other, weight);
    }
  }
  const meant = Array.from(found, ([other, weight]) => ({ meant: other, weight, isWhole: weight !== weights.part }));
  const ranked = meant.sort((a, b) => b.weight - a.weight);
  const whole = ranked.filter(({ isWhole }) => isWhole).slice(0, maxWholeWords);
  return [...whole, ...ranked.filter(({ isWhole }) => !isWhole).slice(0, maxParts)];
}

function weigh(word: string, other: string, isEnd: boolean): number {
  if (other.length < 4 || (word.length === 4 && other.length === 4 && !isExchange(word, other))) return 0;
  const max = word.length >= 8 ? 2 : 1;
  if (Math.abs(word.length - other.length) <= max) {
    const distance = countEdits(word, other, max);
    if (distance <= max) return distance === 1 ? weights.one : weights.two;
  }
  return other.length >= word.length + 3 && hasPart(word, other, isEnd) ? weights.part : 0;
}

/** Whether the beginning or the end of a longer word differs in at most one letter. */
function hasPart(word: string, other: string, isEnd: boolean): boolean {
  if (word.length < 6) return false;
  const lengths = [word.length, word.length - 1, word.length + 1];
  return lengths.some((length) => countEdits(word, isEnd ? other.slice(-length) : other.slice(0, length), 1) <= 1);
}

/**
 * Whether two words differ only by exchanged neighbors. Most four-letter words that differ in one letter are different words: `cost` and
 * `cust`.
 */
function isExchange(a: string, b: string): boolean {
  return [...a].sort().join("") === [...b].sort().join("");
}

/**
 * Counts the letters to insert, remove, replace or exchange with their neighbors. A number above `max` only means that there are more than
 * `max`.
 */
export function countEdits(a: string, b: string, max: number): number {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  const shorter = Math.min(a.length, b.length) - start;
  while (end < shorter && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return countBetween(a.slice(start, a.length - end), b.slice(start, b.length - end), max);
}

/** Counts edits between strings that differ in their first and last letters. */
function countBetween(a: string, b: string, max: number): number {
  if (a.length === 0 || b.length === 0) return a.length + b.length;
  if (max <= 0) return 1;
  const [moreA, moreB] = [a.slice(1), b.slice(1)];
  const [replaced, removed, inserted] = [
    [moreA, moreB],
    [moreA, b],
    [a, moreB],
  ] as const;
  const isExchanged = a[0] === b[1] && a[1] === b[0];
  const ways = [replaced, removed, inserted, ...(isExchanged ? [[a.slice(2), b.slice(2)] as const] : [])];
  return 1 + Math.min(...ways.map(([left, right]) => countEdits(left, right, max - 1)));
}
