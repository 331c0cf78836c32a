import { compareWords, splitName } from "../joins/names.ts";
import type { ScannedTable } from "./warehouse-checks.ts";

/** The minimum similarity of a value's words and the words of a table's name. */
const alike = 0.8;

interface NamedTable {
  readonly table: ScannedTable;
  readonly words: readonly string[];
}

/** Finds the tables that a value names. Each pair of words is compared once. */
export class TableWords {
  /** The tables by the number of words in their names, and by the first word. */
  readonly #tables = new Map<number, Map<string, NamedTable[]>>();
  readonly #words: ReadonlySet<string>;
  readonly #alike = new Map<string, ReadonlySet<string>>();

  constructor(tables: Iterable<ScannedTable>) {
    const all = new Set<string>();
    for (const table of tables) {
      const words = splitName(table.structure.table);
      for (const word of words) all.add(word);
      const [first = ""] = words;
      const byFirst = this.#tables.get(words.length) ?? new Map<string, NamedTable[]>();
      this.#tables.set(words.length, byFirst.set(first, [...(byFirst.get(first) ?? []), { table, words }]));
    }
    this.#words = all;
  }

  /** Returns the tables whose names consist of the same words as the value, or of similar words. */
  namedBy(text: string): readonly ScannedTable[] {
    const words = splitName(text);
    const [first] = words;
    const byFirst = this.#tables.get(words.length);
    if (first === undefined || byFirst === undefined) return [];
    const starts = [...this.#wordsLike(first)].flatMap((word) => byFirst.get(word) ?? []);
    return starts.filter((named) => this.#haveSame(words, named)).map(({ table }) => table);
  }

  #haveSame(words: readonly string[], named: NamedTable): boolean {
    return words.every((word, at) => this.#wordsLike(word).has(named.words[at] ?? ""));
  }

  #wordsLike(word: string): ReadonlySet<string> {
    const known = this.#alike.get(word);
    if (known !== undefined) return known;
    const found = new Set([...this.#words].filter((other) => compareWords(word, other) >= alike));
    this.#alike.set(word, found);
    return found;
  }
}
