import type { TableName, TableStructure } from "../port/structure.ts";
import { recogniseSensitive } from "../sensitive/recognise-sensitive.ts";
import type { CommonSettings } from "../settings/common-keys.ts";
import { joinName, NamePattern } from "../settings/name-pattern.ts";

export type ColumnName = TableName & { readonly column: string };

/** The sensitive columns: marked in the settings, or recognised by their names or by their values in a scan or sample. */
export class SensitiveColumns {
  readonly #sensitive: readonly NamePattern[];
  readonly #notSensitive: readonly NamePattern[];
  readonly #reveal: readonly NamePattern[];
  readonly #added = new Set<string>();

  constructor({ sensitive = [], notSensitive = [], reveal = [] }: CommonSettings) {
    const read = (texts: readonly string[]) => texts.map((text) => new NamePattern(text));
    this.#sensitive = read(sensitive);
    this.#notSensitive = read(notSensitive);
    this.#reveal = read(reveal);
  }

  /** Returns the mark in the settings; undefined if they do not name the column. An exception overrides a rule. */
  marked(column: ColumnName): boolean | undefined {
    if (isNamed(column, this.#notSensitive)) return false;
    return isNamed(column, this.#sensitive) ? true : undefined;
  }

  add(columns: readonly ColumnName[]): void {
    for (const column of columns) this.#added.add(idOf(column));
  }

  /** Returns the names of the columns whose values results must not contain. */
  maskedIn({ schema, table, columns }: TableStructure): readonly string[] {
    return columns.flatMap(({ name, type }) => {
      const column = { schema, table, column: name };
      const isSensitive =
        this.marked(column) ??
        (this.#added.has(idOf(column)) || recogniseSensitive({ name, type, values: [] }) !== undefined);
      return isSensitive && !isNamed(column, this.#reveal) ? [name] : [];
    });
  }

  /** Like `maskedIn`, for several tables. The names have the form `schema.table.column`. */
  maskedColumns(tables: readonly TableStructure[]): readonly string[] {
    return tables.flatMap((each) => this.maskedIn(each).map((column) => joinName([each.schema, each.table, column])));
  }

  /** Whether the settings reveal values of the table that Bridle would replace without these settings. */
  hasExceptions({ schema, table, columns }: TableStructure): boolean {
    const exceptions = [...this.#notSensitive, ...this.#reveal];
    return columns.some(({ name }) => isNamed({ schema, table, column: name }, exceptions));
  }
}

function isNamed({ schema, table, column }: ColumnName, patterns: readonly NamePattern[]): boolean {
  return patterns.some((pattern) => pattern.matches([schema, table, column]));
}

function idOf({ schema, table, column }: ColumnName): string {
  return JSON.stringify([schema, table, column].map((part) => part.toLowerCase()));
}
