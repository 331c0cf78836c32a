import type { TableName } from "../port/structure.ts";
import { NamePattern } from "../settings/name-pattern.ts";
import type { TableScope } from "./warehouse.ts";

/** Whether a scope leaves tables out. */
export function isLimiting({ include, exclude = [] }: TableScope = {}): boolean {
  return include !== undefined || exclude.length > 0;
}

/** A scope with its patterns read. */
export class ScopePatterns {
  readonly #include: readonly NamePattern[] | undefined;
  readonly #exclude: readonly NamePattern[];

  constructor({ include, exclude = [] }: TableScope) {
    this.#include = include?.map((text) => new NamePattern(text));
    this.#exclude = exclude.map((text) => new NamePattern(text));
  }

  has({ schema, table }: TableName): boolean {
    const isNamed = (pattern: NamePattern) => pattern.matches([schema, table]);
    return (this.#include?.some(isNamed) ?? true) && !this.#exclude.some(isNamed);
  }

  /** Whether `include` has the table by its own name, without `*`. */
  names({ schema, table }: TableName): boolean {
    return this.#include?.some((pattern) => pattern.isExact && pattern.matches([schema, table])) ?? false;
  }

  /** The schemas that can have tables in scope; undefined if it may be any. */
  get schemas(): readonly string[] | undefined {
    const schemas = this.#include?.map(({ schema }) => schema);
    return schemas?.every((schema) => schema !== undefined) ? [...new Set(schemas)] : undefined;
  }
}
