import type { UsageCount } from "./query-history.ts";

/** Counts the statements that use an entry. Each statement counts once, even if it names the entry several times. */
export class UsageCounter<Entry> {
  readonly #entries = new Map<string, { readonly entry: Entry; readonly normals: Set<string>; runs: number }>();
  readonly #seen = new Map<string, string>();
  readonly #keyOf: (entry: Entry) => string;

  constructor(keyOf: (entry: Entry) => string) {
    this.#keyOf = keyOf;
  }

  /** Counts a use of an entry. `id` is the id of the statement in the log, and `normal` is its text without literals. */
  add(entry: Entry, { id, normal, runs }: StatementWeight): void {
    const key = this.#keyOf(entry);
    const found = this.#entries.get(key) ?? { entry, normals: new Set<string>(), runs: 0 };
    this.#entries.set(key, found);
    if (this.#seen.get(key) === id) return;
    this.#seen.set(key, id);
    found.normals.add(normal);
    found.runs += runs;
  }

  /** Lists the entries, those with the most runs first. */
  list(): readonly (Entry & UsageCount)[] {
    const counted = [...this.#entries.values()].map(({ entry, normals, runs }) => {
      return { ...entry, statements: normals.size, runs };
    });
    return counted.toSorted((a, b) => b.runs - a.runs || b.statements - a.statements);
  }
}

export interface StatementWeight {
  readonly id: string;
  readonly normal: string;
  readonly runs: number;
}
