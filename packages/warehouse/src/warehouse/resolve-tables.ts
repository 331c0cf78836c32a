import type { ResolvedTable, StatementContext } from "../port/dialect.ts";
import type { TableStructure } from "../port/structure.ts";
import type { Catalog } from "./catalog.ts";
import { isOfEngine } from "./engine-tables.ts";
import { refuseAmbiguous, refuseOutside, refuseTable } from "./statement-errors.ts";

export interface TableAccess {
  readonly catalog: Catalog;
  /** The name of the connection. */
  readonly connection: string;
  /** Whether the settings or the caller exclude tables. */
  readonly isLimited: boolean;
  readonly safeFunctions?: ReadonlySet<string> | undefined;
  isVisible(table: TableStructure): boolean;
  relationOf(table: TableStructure): string | undefined;
}

/** Looks up the tables of one statement, and remembers them. */
export class TableResolver implements StatementContext {
  readonly safeFunctions: ReadonlySet<string> | undefined;
  readonly #access: TableAccess;
  readonly #read = new Set<TableStructure>();

  constructor(access: TableAccess) {
    this.#access = access;
    this.safeFunctions = access.safeFunctions;
  }

  /** The tables that were looked up, each once. */
  get tables(): readonly TableStructure[] {
    return [...this.#read];
  }

  /** Resolves a table name. The dialect calls this for each table in a statement. */
  resolve(name: readonly string[]): ResolvedTable {
    const table = this.#find(name);
    this.#read.add(table);
    return { schema: table.schema, table: table.table, relation: this.#access.relationOf(table) };
  }

  /** Finds a table. A table that the caller may not see is refused as if it did not exist. */
  #find(name: readonly string[]): TableStructure {
    const { catalog, connection, isLimited } = this.#access;
    const isVisible = (table: TableStructure) => this.#access.isVisible(table);
    const [first, ...others] = catalog.find(name, isVisible);
    if (first !== undefined && others.length === 0) return first;
    if (first !== undefined) throw refuseAmbiguous(name, [first, ...others]);
    if (isOfEngine({ schema: name.at(-2) ?? "", table: name.at(-1) ?? "" })) throw refuseOutside(name, connection);
    const visible = catalog.structure.tables.filter(isVisible);
    throw refuseTable(name, visible, isLimited ? connection : undefined);
  }
}
