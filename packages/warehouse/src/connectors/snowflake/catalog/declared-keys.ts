import { InvalidRequestError } from "@bridle/protocol";
import type { ForeignKey, TableName, TableProblem, TableStructure } from "../../../port/structure.ts";
import type { WarehouseRow } from "../../../port/values.ts";
import { snowflakeDialect } from "../dialect/snowflake-dialect.ts";
import type { AskCatalog, NamedRows } from "./named-rows.ts";

/** The maximum number of rows that `SHOW` returns. */
const maxShown = 10_000;

/** The columns of a key, in order. */
interface KeyPart {
  readonly at: number;
  readonly column: string;
  readonly references?: TableName & { readonly column: string };
}

type KeysOfTables = Map<string, Map<string, KeyPart[]>>;

/** The declared keys. Snowflake does not enforce them, so they may be wrong. */
export class DeclaredKeys {
  readonly problems: TableProblem[] = [];
  readonly #ask: AskCatalog;
  readonly #database: string;
  readonly #primary: KeysOfTables = new Map();
  readonly #unique: KeysOfTables = new Map();
  readonly #foreign: KeysOfTables = new Map();

  constructor(ask: AskCatalog, database: string) {
    this.#ask = ask;
    this.#database = database;
  }

  /**
   * Reads the keys of the whole database at once. If only some schemas are wanted, or there are too many keys, reads them schema by schema.
   */
  async read(schemas: readonly string[], isLimited: boolean): Promise<void> {
    await this.#show("PRIMARY KEYS", schemas, isLimited, (rows, row) => this.#addKey(this.#primary, rows, row));
    await this.#show("UNIQUE KEYS", schemas, isLimited, (rows, row) => this.#addKey(this.#unique, rows, row));
    await this.#show("IMPORTED KEYS", schemas, isLimited, (rows, row) => this.#addForeign(rows, row));
  }

  of({ schema, table }: TableName): Pick<TableStructure, "primaryKey" | "uniqueKeys" | "foreignKeys"> {
    const place = JSON.stringify([schema, table]);
    const [primary = []] = keysAt(this.#primary, place);
    return {
      primaryKey: primary.map(({ column }) => column),
      uniqueKeys: keysAt(this.#unique, place).map((parts) => parts.map(({ column }) => column)),
      foreignKeys: keysAt(this.#foreign, place).map(foreignKeyOf),
    };
  }

  async #show(
    what: string,
    schemas: readonly string[],
    isLimited: boolean,
    add: (rows: NamedRows, row: WarehouseRow) => void,
  ): Promise<void> {
    const { quoteIdentifier } = snowflakeDialect;
    const database = quoteIdentifier(this.#database);
    const all = isLimited ? undefined : await this.#tryAll(`SHOW ${what} IN DATABASE ${database}`);
    if (all !== undefined && all.all().length < maxShown) {
      for (const row of all.all()) add(all, row);
      return;
    }
    for (const schema of schemas) {
      const rows = await this.#showSchema(`SHOW ${what} IN SCHEMA ${database}.${quoteIdentifier(schema)}`, schema);
      for (const row of rows?.all() ?? []) if (rows !== undefined) add(rows, row);
    }
  }

  /** Reads all keys at once. Undefined if the role may not use every schema. */
  async #tryAll(sql: string): Promise<NamedRows | undefined> {
    try {
      return await this.#ask(sql);
    } catch (error) {
      if (error instanceof InvalidRequestError) return undefined;
      throw error;
    }
  }

  /**
   * Reads the keys of a schema. If the tables of the schema may be read, but the schema itself may not be used, reports this as a problem.
   */
  async #showSchema(sql: string, schema: string): Promise<NamedRows | undefined> {
    try {
      const rows = await this.#ask(sql);
      if (rows.all().length >= maxShown)
        this.problems.push({ schema, table: "*", problem: `The schema ${schema} has more keys than SHOW lists.` });
      return rows;
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      if (!this.problems.some((each) => each.schema === schema))
        this.problems.push({ schema, table: "*", problem: `The keys of ${schema} cannot be read: ${error.message}` });
      return undefined;
    }
  }

  #addKey(keys: KeysOfTables, rows: NamedRows, row: WarehouseRow): void {
    if (rows.text(row, "database_name") !== this.#database) return;
    const place = JSON.stringify([rows.text(row, "schema_name"), rows.text(row, "table_name")]);
    const part = { at: rows.number(row, "key_sequence") ?? 0, column: rows.text(row, "column_name") ?? "" };
    addPart(keys, place, rows.text(row, "constraint_name") ?? "", part);
  }

  #addForeign(rows: NamedRows, row: WarehouseRow): void {
    const isHere = ["fk_database_name", "pk_database_name"].every((name) => rows.text(row, name) === this.#database);
    if (!isHere) return;
    const place = JSON.stringify([rows.text(row, "fk_schema_name"), rows.text(row, "fk_table_name")]);
    addPart(this.#foreign, place, rows.text(row, "fk_name") ?? "", {
      at: rows.number(row, "key_sequence") ?? 0,
      column: rows.text(row, "fk_column_name") ?? "",
      references: {
        schema: rows.text(row, "pk_schema_name") ?? "",
        table: rows.text(row, "pk_table_name") ?? "",
        column: rows.text(row, "pk_column_name") ?? "",
      },
    });
  }
}

function addPart(keys: KeysOfTables, place: string, name: string, part: KeyPart): void {
  const ofTable = keys.get(place) ?? new Map<string, KeyPart[]>();
  ofTable.set(name, [...(ofTable.get(name) ?? []), part]);
  keys.set(place, ofTable);
}

function keysAt(keys: KeysOfTables, place: string): readonly (readonly KeyPart[])[] {
  return [...(keys.get(place)?.values() ?? [])].map((parts) => parts.toSorted((a, b) => a.at - b.at));
}

function foreignKeyOf(parts: readonly KeyPart[]): ForeignKey {
  const [first] = parts;
  return {
    columns: parts.map(({ column }) => column),
    references: {
      schema: first?.references?.schema ?? "",
      table: first?.references?.table ?? "",
      columns: parts.map(({ references }) => references?.column ?? ""),
    },
  };
}
