import type { ShapeColumn } from "./query-shape.ts";
import type { TokenRange } from "./token-range.ts";

/** The tables that a SELECT may name, by their aliases. Common table expressions and subqueries have no table behind them. */
export class QueryScope {
  readonly #outer: QueryScope | undefined;
  readonly #aliases = new Map<string, readonly string[] | undefined>();
  /** Names of common table expressions. */
  readonly #hidden = new Set<string>();

  constructor(outer?: QueryScope) {
    this.#outer = outer;
  }

  /** A common table expression hides a table of its name. */
  hide(name: string): void {
    this.#hidden.add(name.toLowerCase());
  }

  addTable(name: readonly string[], alias: string | undefined): void {
    const [only = ""] = name;
    const table = name.length === 1 && this.#isHidden(only) ? undefined : name;
    this.#aliases.set((alias ?? name.at(-1) ?? "").toLowerCase(), table);
  }

  addDerived(alias: string | undefined): void {
    this.#aliases.set((alias ?? `derived ${this.#aliases.size}`).toLowerCase(), undefined);
  }

  /** The tables of this SELECT only. */
  get tables(): readonly (readonly string[])[] {
    return [...this.#aliases.values()].filter((name) => name !== undefined);
  }

  /** The only table, if a column without a table cannot belong to another source. */
  get only(): readonly string[] | undefined {
    return this.#aliases.size === 1 ? this.tables[0] : undefined;
  }

  /** The column in a range; undefined if the range is not a column, or its table is uncertain. */
  column(range: TokenRange): ShapeColumn | undefined {
    const names = readName(range);
    const column = names?.at(-1);
    if (names === undefined || column === undefined) return undefined;
    const table = names.length === 1 ? this.only : this.#tableOf(names.slice(0, -1));
    return table === undefined ? undefined : { table, column };
  }

  #tableOf(names: readonly string[]): readonly string[] | undefined {
    const key = names.join(".").toLowerCase();
    const [only = ""] = names;
    if (names.length === 1 && this.#aliases.has(only.toLowerCase())) return this.#aliases.get(only.toLowerCase());
    const full = this.tables.find((table) => table.join(".").toLowerCase().endsWith(key));
    if (full !== undefined || this.#outer === undefined) return full;
    return this.#outer.#tableOf(names);
  }

  #isHidden(name: string): boolean {
    if (this.#outer === undefined) return this.#hidden.has(name.toLowerCase());
    return this.#hidden.has(name.toLowerCase()) || this.#outer.#isHidden(name);
  }
}

/** The parts of a name such as `shop.orders`; undefined if the range is not one. BigQuery quotes all parts together. */
export function readName(range: TokenRange): readonly string[] | undefined {
  const parts: string[] = [];
  for (let index = range.from; index < range.to; index += 2) {
    const token = range.at(index);
    if (token?.kind !== "word" && token?.kind !== "name") return undefined;
    parts.push(...(token.kind === "name" && range.tokens.length > 0 ? token.value.split(".") : [token.value]));
    if (index + 1 < range.to && !range.isSymbol(index + 1, ".")) return undefined;
  }
  return parts.length > 0 ? parts : undefined;
}
