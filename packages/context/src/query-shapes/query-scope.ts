import type { SourceTree } from "@bridle/sql";
import type { ShapeColumn } from "./query-shape.ts";

type TablePath = readonly string[];

/** The tables that a SELECT may name, by their aliases. A common table expression or subquery stands for no table. */
export class QueryScope {
  /** The table of each source, in the order of the sources. Undefined for a source that is not a table. */
  readonly sources: readonly (TablePath | undefined)[];
  readonly #outer: QueryScope | undefined;
  readonly #aliases = new Map<string, TablePath | undefined>();

  /** @param hidden names of common table expressions, which hide tables, in lower case */
  constructor(sources: readonly SourceTree[], hidden: ReadonlySet<string>, outer?: QueryScope) {
    this.#outer = outer;
    this.sources = sources.map((source) => {
      const path = source.kind === "table" ? source.path : [];
      const isHidden = path.length === 1 && hidden.has(tableKeyOf(path));
      const table = path.length === 0 || isHidden ? undefined : path;
      const alias = source.alias ?? path.at(-1) ?? `derived ${this.#aliases.size}`;
      this.#aliases.set(alias.toLowerCase(), table);
      return table;
    });
  }

  /** The tables of this SELECT only. */
  get tables(): readonly TablePath[] {
    return [...this.#aliases.values()].filter((table) => table !== undefined);
  }

  /** Returns the column with a name; undefined if its table is uncertain. */
  column(path: readonly string[]): ShapeColumn | undefined {
    const column = path.at(-1);
    // A name without a table may be a column of any source.
    const only = this.#aliases.size === 1 ? this.tables[0] : undefined;
    const table = path.length === 1 ? only : this.#tableOf(path.slice(0, -1));
    return table === undefined || column === undefined ? undefined : { table, column };
  }

  #tableOf(names: TablePath): TablePath | undefined {
    const key = tableKeyOf(names);
    if (names.length === 1 && this.#aliases.has(key)) return this.#aliases.get(key);
    const full = this.tables.find((table) => tableKeyOf(table).endsWith(key));
    return full !== undefined || this.#outer === undefined ? full : this.#outer.#tableOf(names);
  }
}

/** Returns a table's name as a key, ignoring case. */
export function tableKeyOf(table: TablePath): string {
  return table.join(".").toLowerCase();
}
