import type { ResultColumn, WarehouseRow } from "../../../port/values.ts";

/** Sends a catalog query. */
export type AskCatalog = (sql: string) => Promise<NamedRows>;

/** Rows of a catalog query. Columns are found by their names, because Snowflake adds columns to `SHOW` from time to time. */
export class NamedRows {
  readonly #places: ReadonlyMap<string, number>;
  readonly #rows: readonly WarehouseRow[];

  constructor(columns: readonly ResultColumn[], rows: readonly WarehouseRow[]) {
    this.#places = new Map(columns.map(({ name }, index) => [name, index]));
    this.#rows = rows;
  }

  all(): readonly WarehouseRow[] {
    return this.#rows;
  }

  has(name: string): boolean {
    return this.#places.has(name);
  }

  /** Returns a value as a string; undefined if the value is NULL or empty, or its column is missing. */
  text(row: WarehouseRow, name: string): string | undefined {
    const value = row[this.#places.get(name) ?? -1];
    return value === null || value === undefined || value === "" ? undefined : String(value);
  }

  number(row: WarehouseRow, name: string): number | undefined {
    const text = this.text(row, name);
    return text === undefined ? undefined : Number(text);
  }
}
