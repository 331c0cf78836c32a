import type { TableName, TableStructure } from "../port/structure.ts";
import type { CommonSettings } from "../settings/common-keys.ts";
import { splitExactName } from "../settings/name-pattern.ts";
import { isLimiting, ScopePatterns } from "./scope.ts";

/** A row filter of the settings. */
export interface RowFilter {
  /** The key in the settings, such as `sales.orders`. */
  readonly key: string;
  readonly condition: string;
}

/** The tables that the settings of a connection let be read, and the conditions on their rows. */
export class TableRules {
  readonly filters: readonly RowFilter[];
  readonly #scope: ScopePatterns;
  readonly #filterByTable: ReadonlyMap<string, string>;

  /** Whether tables, views or rows are left out. */
  readonly isLimited: boolean;

  constructor({ include, exclude, filters = {} }: CommonSettings) {
    this.#scope = new ScopePatterns({ include, exclude });
    this.filters = Object.entries(filters).map(([key, condition]) => ({ key, condition }));
    this.isLimited = isLimiting({ include, exclude }) || this.filters.length > 0;
    this.#filterByTable = new Map(
      this.filters.map(({ key, condition }) => [idOf(splitExactName(key) ?? []), condition] as const),
    );
  }

  /** The schemas that can have tables in scope; undefined if it may be any. */
  get schemas(): readonly string[] | undefined {
    return this.#scope.schemas;
  }

  /** Whether a table is in the scope of the connection and in that of the caller, if there is one. */
  isInScope(name: TableName, kind: TableStructure["kind"] | undefined, caller: ScopePatterns | undefined): boolean {
    if (!this.#scope.has(name) || caller?.has(name) === false) return false;
    return kind !== "view" || this.#isViewAllowed(name);
  }

  /** A view may show rows that a filter of its tables hides, so that somebody has to decide about each. */
  #isViewAllowed(name: TableName): boolean {
    return this.filters.length === 0 || this.#scope.names(name) || this.filterOf(name) !== undefined;
  }

  filterOf({ schema, table }: TableName): string | undefined {
    return this.#filterByTable.get(idOf([schema, table]));
  }
}

function idOf(parts: readonly string[]): string {
  return JSON.stringify(parts.map((part) => part.toLowerCase()));
}
