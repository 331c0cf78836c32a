import type { ReadTables, TableName, TableStructure } from "../port/structure.ts";
import { NamePattern } from "../settings/name-pattern.ts";
import type { TableScope } from "./warehouse.ts";

/** A table or view, limited to the facts that the rules need. */
export interface ScopedTable extends TableName {
  /** The kind of the table. Undefined if only the name is known. */
  readonly kind?: TableStructure["kind"] | undefined;
  readonly reads?: ReadTables | undefined;
}

/** Returns the other tables whose rows a table or view shows; undefined if it shows only its own rows. */
export function readTablesOf({ kind, reads }: ScopedTable): ReadTables | undefined {
  return reads ?? (kind === "view" ? "unknown" : undefined);
}

/** Whether a scope excludes tables. */
export function isLimiting({ include, exclude = [] }: TableScope = {}): boolean {
  return include !== undefined || exclude.length > 0;
}

/** A scope with parsed patterns. */
export class ScopePatterns {
  readonly #include: readonly NamePattern[] | undefined;
  readonly #exclude: readonly NamePattern[];

  constructor({ include, exclude = [] }: TableScope) {
    this.#include = include?.map((text) => new NamePattern(text));
    this.#exclude = exclude.map((text) => new NamePattern(text));
  }

  has(name: TableName): boolean {
    return this.#includes(name) && !this.#excludes(name);
  }

  /** Whether `include` contains the full name of the table, without `*`. */
  names({ schema, table }: TableName): boolean {
    return this.#include?.some((pattern) => pattern.isFullName && pattern.matches([schema, table])) ?? false;
  }

  /**
   * Whether a view may be seen, given the tables whose rows it shows. All of them must be in scope, unless `include` names the view itself.
   * With `isTrusted`, the tables need not be in `include`, but must not be in `exclude`.
   */
  mayShow(view: TableName, reads: ReadTables, isTrusted = false): boolean {
    if (this.names(view)) return true;
    if (reads === "unknown") return this.#exclude.length === 0 && (isTrusted || this.#include === undefined);
    return reads.every((name) => !this.#excludes(name) && (isTrusted || this.#includes(name)));
  }

  #includes({ schema, table }: TableName): boolean {
    return this.#include?.some((pattern) => pattern.matches([schema, table])) ?? true;
  }

  #excludes({ schema, table }: TableName): boolean {
    return this.#exclude.some((pattern) => pattern.matches([schema, table]));
  }

  /** The schemas that can contain tables in scope; undefined if any schema can. */
  get schemas(): readonly string[] | undefined {
    const schemas = this.#include?.map(({ schema }) => schema);
    return schemas?.every((schema) => schema !== undefined) ? [...new Set(schemas)] : undefined;
  }
}
