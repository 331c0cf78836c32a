import type { TableName } from "../port/structure.ts";
import type { CommonSettings } from "../settings/common-keys.ts";
import { joinName, NamePattern, splitExactName } from "../settings/name-pattern.ts";
import { isLimiting, readTablesOf, type ScopedTable, ScopePatterns } from "./scope.ts";

/** A row filter in the settings. */
export interface RowFilter {
  /** The key in the settings, such as `sales.orders`. */
  readonly key: string;
  readonly condition: string;
}

/** The tables that a connection's settings allow to be read, and the conditions on their rows. */
export class TableRules {
  readonly filters: readonly RowFilter[];
  readonly #scope: ScopePatterns;
  readonly #views: readonly NamePattern[];
  readonly #filterByTable: ReadonlyMap<string, string>;

  /** Whether the settings exclude tables, views or rows. */
  readonly isLimited: boolean;

  constructor({ include, exclude, filters = {}, views = [] }: CommonSettings) {
    this.#scope = new ScopePatterns({ include, exclude });
    this.#views = views.map((text) => new NamePattern(text));
    this.filters = Object.entries(filters).map(([key, condition]) => ({ key, condition }));
    this.isLimited = isLimiting({ include, exclude }) || this.filters.length > 0;
    this.#filterByTable = new Map(
      this.filters.map(({ key, condition }) => [idOf(splitExactName(key) ?? []), condition] as const),
    );
  }

  /** The schemas that can contain tables in scope; undefined if any schema can. */
  get schemas(): readonly string[] | undefined {
    return this.#scope.schemas;
  }

  /** Whether a table is in the connection's scope, and if the caller has a scope, in the caller's scope, too. */
  isInScope(table: ScopedTable, caller?: ScopePatterns): boolean {
    if (!this.#scope.has(table) || caller?.has(table) === false) return false;
    const reads = readTablesOf(table);
    if (reads === undefined) return true;
    const isTrusted = this.isTrustedView(table);
    const isSafe = isTrusted || (this.filters.length === 0 && this.#scope.mayShow(table, reads));
    return isSafe && caller?.mayShow(table, reads, isTrusted) !== false;
  }

  /** Whether a view is left out because of the tables whose rows it shows, although the scope includes its name. */
  isLeftOut(table: ScopedTable): boolean {
    return this.#scope.has(table) && !this.isInScope(table);
  }

  /**
   * Whether the user has allowed a view, because it may show rows of tables outside of the scope, or rows that a filter hides: with
   * `views`, with its name in `include`, or with a filter of its own.
   */
  isTrustedView(name: TableName): boolean {
    const parts = [name.schema, name.table];
    const isNamed = this.#scope.names(name) || this.#views.some((pattern) => pattern.matches(parts));
    return isNamed || this.filterOf(name) !== undefined;
  }

  filterOf({ schema, table }: TableName): string | undefined {
    return this.#filterByTable.get(idOf([schema, table]));
  }

  /** Returns those of the tables that have a filter, as `schema.table`. */
  filteredTables(tables: readonly TableName[]): readonly string[] {
    const filtered = tables.filter((each) => this.filterOf(each) !== undefined);
    return filtered.map(({ schema, table }) => joinName([schema, table]));
  }
}

function idOf(parts: readonly string[]): string {
  return JSON.stringify(parts.map((part) => part.toLowerCase()));
}
