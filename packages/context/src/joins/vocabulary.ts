import { compareWords, sharedFirstWord, splitName, trigrams } from "./names.ts";
import type { TableProfile } from "./profile.ts";

/** The words of a schema's tables and columns, without prefixes that all of them share, and the rarity of each word. */
export class Vocabulary {
  readonly #tables = new Map<TableProfile, readonly string[]>();
  readonly #columns = new Map<TableProfile, readonly (readonly string[])[]>();
  readonly #frequency = new Map<string, number>();
  readonly #similarity = new Map<string, Map<string, number>>();
  /** The weights of words, which are computed after all words are counted. */
  readonly #weights = new Map<string, number>();
  readonly #trigrams = new Map<string, ReadonlySet<string>>();
  #size = 0;

  constructor(tables: readonly TableProfile[]) {
    const names = withoutPrefix(
      tables.map(({ name }) => splitName(name)),
      tables.length >= 3 ? 0.8 : 2,
    );
    const split = new KnownResults(splitName); // many columns have the same name
    const columns = tables.map((table) => wordsOfColumns(table, split));
    const ends = findEnds([...names.flat(), ...columns.flat(2)], names.flat());
    const cut = new KnownResults((word) => cutEnd(word, ends));
    for (const [index, table] of tables.entries()) {
      this.#tables.set(
        table,
        (names[index] ?? []).flatMap((word) => cut.of(word)),
      );
      const own = (columns[index] ?? []).map((words) => words.flatMap((word) => cut.of(word)));
      this.#columns.set(table, own);
      for (const words of own) this.#count(words);
    }
  }

  ofTable(table: TableProfile): readonly string[] {
    return this.#tables.get(table) ?? [];
  }

  ofColumn(table: TableProfile, position: number): readonly string[] {
    return this.#columns.get(table)?.[position] ?? [];
  }

  /** Returns the share of the weight of `words` that has a counterpart in `others`, from 0 to 1. */
  covered(words: readonly string[], others: readonly string[]): number {
    let found = 0;
    let all = 0;
    for (const word of words) {
      const weight = this.#weight(word);
      all += weight;
      found += weight * this.#findMostAlike(word, others);
    }
    return all === 0 ? 0 : found / all;
  }

  #trigramsOf(word: string): ReadonlySet<string> {
    const known = this.#trigrams.get(word);
    if (known !== undefined) return known;
    const made = trigrams(word);
    this.#trigrams.set(word, made);
    return made;
  }

  #count(words: readonly string[]): void {
    this.#size++;
    for (const word of new Set(words)) this.#frequency.set(word, (this.#frequency.get(word) ?? 0) + 1);
  }

  #weight(word: string): number {
    const known = this.#weights.get(word);
    if (known !== undefined) return known;
    const weight = Math.log(1 + this.#size / (1 + (this.#frequency.get(word) ?? 0)));
    this.#weights.set(word, weight);
    return weight;
  }

  /** Returns the similarity of the word to the most similar of the others. */
  #findMostAlike(word: string, others: readonly string[]): number {
    if (others.includes(word)) return 1;
    let known = this.#similarity.get(word);
    if (known === undefined) {
      known = new Map();
      this.#similarity.set(word, known);
    }
    let best = 0;
    for (const other of others) {
      let similarity = known.get(other);
      if (similarity === undefined) {
        similarity = compareWords(word, other, (each) => this.#trigramsOf(each));
        known.set(other, similarity);
      }
      if (similarity > best) best = similarity;
    }
    return best;
  }
}

/** Caches the words that a function returned for each string. */
class KnownResults {
  readonly #make: (text: string) => readonly string[];
  readonly #known = new Map<string, readonly string[]>();

  constructor(make: (text: string) => readonly string[]) {
    this.#make = make;
  }

  of(text: string): readonly string[] {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const made = this.#make(text);
    this.#known.set(text, made);
    return made;
  }
}

function wordsOfColumns({ columns }: TableProfile, split: KnownResults): readonly (readonly string[])[] {
  const words = columns.map(({ name }) => split.of(name));
  return columns.length >= 3 ? withoutPrefix(words, 0.9) : words;
}

function withoutPrefix(lists: readonly (readonly string[])[], share: number): readonly (readonly string[])[] {
  const prefix = sharedFirstWord(lists, share);
  return lists.map((list) => (list.length > 1 && list[0] === prefix ? list.slice(1) : list));
}

/**
 * Returns ends that compounds of this schema share, such as "id" in "customerid", longest first. An end is a separate word elsewhere, or
 * the rest of at least three words that begin with a table's name.
 */
function findEnds(all: readonly string[], tables: readonly string[]): readonly string[] {
  const words = [...new Set(all)].filter((word) => !/\d/.test(word));
  const own = words.filter(
    (end) =>
      end.length >= 2 &&
      end.length <= 8 &&
      words.filter((word) => word.length >= end.length + 3 && word.endsWith(end)).length >= 3,
  );
  const rests = new Map<string, Set<string>>();
  const starts = new Set(tables.flatMap((table) => Array.from(table, (_, at) => table.slice(0, at + 1))));
  for (const word of words) {
    for (const end of endsAfterTable(word, starts)) rests.set(end, (rests.get(end) ?? new Set()).add(word));
  }
  const left = [...rests].filter(([, users]) => users.size >= 3).map(([end]) => end);
  return [...new Set([...own, ...left])].sort((a, b) => b.length - a.length);
}

/** Returns the ends of a word after a beginning like a table's name. */
function endsAfterTable(word: string, starts: ReadonlySet<string>): readonly string[] {
  const ends = [2, 3, 4, 5].filter((length) => word.length >= length + 3).map((length) => word.slice(-length));
  return ends.filter((end) => starts.has(word.slice(0, -end.length)));
}

function cutEnd(word: string, ends: readonly string[]): readonly string[] {
  const end = word.length < 5 ? undefined : ends.find((each) => word.endsWith(each) && word.length > each.length + 1);
  return end === undefined ? [word] : [word.slice(0, -end.length), end];
}
