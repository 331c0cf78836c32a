import type { ColumnProfile, TableProfile } from "./profile.ts";
import { hashValue, shortHash } from "./sketch.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The maximum number of different values of a column that names tables. */
const maxValues = 40;

/** Finds columns whose values are table names: `owner_kind` names the table that `owner_id` links to. */
export class Discriminators {
  /** Tables by the hashes of the values that name them. */
  readonly #named = new Map<number, TableProfile>();
  readonly #vocabulary: Vocabulary;

  constructor(tables: readonly TableProfile[], vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    for (const table of tables) {
      for (const text of writeName(table.name)) this.#named.set(shortHash(hashValue(text)), table);
    }
  }

  /** Returns the positions of the columns that have a discriminator in the table. The names of both begin with the same word. */
  discriminatedBy(table: TableProfile): ReadonlySet<number> {
    const found = new Set<number>();
    for (const [at, column] of table.columns.entries()) {
      if (!this.#namesTables(column)) continue;
      const [first] = this.#vocabulary.ofColumn(table, at);
      for (const other of table.columns.keys()) {
        if (other !== at && this.#vocabulary.ofColumn(table, other)[0] === first) found.add(other);
      }
    }
    return found;
  }

  #namesTables({ numbers, dates, distinct, sketch }: ColumnProfile): boolean {
    if (numbers || dates || distinct < 2 || distinct > maxValues) return false;
    const named = new Set(Array.from(sketch.hashes, (hash) => this.#named.get(hash)));
    named.delete(undefined);
    return named.size >= 2;
  }
}

/**
 * Returns the spellings of a table's name in values: with or without its last letters, such as those of a plural, and in several letter
 * cases.
 */
function writeName(name: string): ReadonlySet<string> {
  const joined = name.replace(/[_\s]+(.)/g, (_, letter: string) => letter.toUpperCase());
  const stems = [name, joined].flatMap((text) => [text, text.slice(0, -1), text.slice(0, -2), `${text.slice(0, -3)}y`]);
  const long = stems.filter((stem) => stem.length >= 3);
  return new Set(long.flatMap((stem) => [stem, stem.toLowerCase(), stem.slice(0, 1).toUpperCase() + stem.slice(1)]));
}
