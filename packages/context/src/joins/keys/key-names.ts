import type { ColumnFacts } from "../schema-facts.ts";
import type { KeyCandidate } from "./key-candidates.ts";

/** How often unique columns with the same name are keys. The row number in every table, for example, is hardly ever a key. */
export class KeyNames {
  readonly #byName = new Map<string, { columns: number; keys: number }>();

  /** If `hasNames` is false, equal names are ignored, because the schema's names are not informative. */
  constructor(scores: ReadonlyMap<KeyCandidate, number>, hasNames: boolean) {
    if (!hasNames) return;
    for (const [{ columns }, score] of scores) {
      const [column] = columns;
      if (columns.length > 1 || column === undefined) continue;
      const known = this.#byName.get(nameOf(column)) ?? { columns: 0, keys: 0 };
      this.#byName.set(nameOf(column), { columns: known.columns + 1, keys: known.keys + score });
    }
  }

  /** Returns the share of the other unique columns of this name that are keys, or one half if it has no others. */
  shareOf(column: ColumnFacts, score: number): number {
    const { columns, keys } = this.#byName.get(nameOf(column)) ?? { columns: 1, keys: score };
    return (Math.max(0, keys - score) + 0.5) / columns;
  }
}

function nameOf({ name }: ColumnFacts): string {
  return name.toLowerCase();
}
