import type { TableProfile } from "./profile.ts";

/** Finds tables that have columns with given names, and tables that begin with the same columns. */
export class SchemaNames {
  readonly #tables = new Map<string, Set<TableProfile>>();
  readonly #starts = new Map<string, number>();
  readonly #lowerStarts = new Map<string, number>();

  constructor(tables: readonly TableProfile[]) {
    for (const table of tables) {
      for (const { name } of table.columns) {
        const users = this.#tables.get(name.toLowerCase()) ?? new Set();
        this.#tables.set(name.toLowerCase(), users.add(table));
      }
      for (let length = 1; length <= 4 && length <= table.columns.length; length++) {
        const start = table.columns.slice(0, length).map(({ name }) => name);
        count(this.#starts, start.join("\0"));
        count(this.#lowerStarts, start.join("\0").toLowerCase());
      }
    }
  }

  /** Whether another table has columns of all these names, in any letter case. */
  areShared(names: readonly string[], own: TableProfile): boolean {
    const [first, ...rest] = names.map((name) => this.#tables.get(name.toLowerCase()) ?? new Set<TableProfile>());
    for (const table of first ?? []) if (table !== own && rest.every((users) => users.has(table))) return true;
    return false;
  }

  /** Whether at least two tables begin with exactly these columns. */
  areRepeatedStart(names: readonly string[]): boolean {
    return (this.#starts.get(names.join("\0")) ?? 0) > 1;
  }

  /** Whether at least two tables begin with these columns, in any letter case. */
  areRepeatedStartInAnyCase(names: readonly string[]): boolean {
    return (this.#lowerStarts.get(names.join("\0").toLowerCase()) ?? 0) > 1;
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
