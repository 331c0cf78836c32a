/** Collects the known names from a scan, from models, and from the definitions of a source. */
import { joinName } from "@bridle/warehouse";

/** The names of a table. */
export interface NamedTable {
  /** `connection.schema.table` */
  readonly id: string;
  readonly connection: string;
  readonly schema: string;
  readonly table: string;
  readonly columns: readonly string[];
}

export interface NameSources {
  /** All tables, including those that agents may not see. */
  readonly tables: Iterable<NamedTable>;
  /** Whether agents may see a table. Default: all. */
  readonly isVisible?: ((table: NamedTable) => boolean) | undefined;
  /** Names such as `model` and `model.measure`. */
  readonly models?: Iterable<string> | undefined;
}

/** What a name stands for. `hidden` is a table that agents may not see. */
export type NameMeaning = "known" | "hidden" | "unknown";

export class KnownNames {
  /** Whether a scan found tables. If not, no name can be checked. */
  readonly isScanned: boolean;
  readonly #known = new Set<string>();
  readonly #hidden = new Set<string>();
  /** Whether agents may see anything in a connection, by the connection's name. */
  readonly #connections = new Map<string, boolean>();
  /** Identifiers by every spelling; `undefined` if a spelling is ambiguous. */
  readonly #tables = new Map<string, string | undefined>();
  readonly #columns = new Map<string, readonly string[]>();
  readonly #bySource = new Map<string, Set<string>>();

  constructor({ tables, isVisible = () => true, models = [] }: NameSources) {
    for (const table of tables) this.#addTable(table, isVisible(table));
    for (const name of models) this.#known.add(name.toLowerCase());
    this.isScanned = this.#tables.size > 0;
  }

  /** Adds names that a source defines, such as the columns of a dbt project. */
  define(source: string, names: Iterable<string>): void {
    const known = this.#bySource.get(source) ?? new Set<string>();
    for (const name of names) known.add(name.toLowerCase());
    this.#bySource.set(source, known);
  }

  /** Looks up a name: `fare_total`, `fares.amount_cents`, `main.fares.amount_cents`. */
  meaningOf(name: string, source: string): NameMeaning {
    const wanted = name.toLowerCase();
    if (this.#known.has(wanted) || this.#bySource.get(source)?.has(wanted)) return "known";
    if (this.#hidden.has(wanted)) return "hidden";
    return "unknown";
  }

  /** Whether a connection is completely hidden from agents. */
  hidesConnection(name: string): boolean {
    return this.#connections.get(name.toLowerCase()) === false;
  }

  /** Whether a name belongs to a table, schema, connection or model. If so, the part after the dot must exist there. */
  hasHead(name: string): boolean {
    const wanted = name.toLowerCase();
    return this.#tables.has(wanted) || this.#known.has(wanted) || this.#hidden.has(wanted);
  }

  /** Returns the identifier of a visible table by any of its spellings; undefined if no table or several tables match. */
  tableId(name: string): string | undefined {
    return this.#tables.get(name.toLowerCase().replaceAll(/["`[\]]/g, ""));
  }

  /** Returns the identifier of a visible table or column. */
  subjectId(name: string): string | undefined {
    const table = this.tableId(name);
    if (table !== undefined) return table;
    const dot = name.lastIndexOf(".");
    const owner = dot < 0 ? undefined : this.tableId(name.slice(0, dot));
    return owner === undefined ? undefined : this.columnId(owner, name.slice(dot + 1));
  }

  /** Returns the identifier of a visible table by its own name or by the name of one of its columns. */
  ownerId(name: string): string | undefined {
    const dot = name.lastIndexOf(".");
    return this.tableId(name) ?? (dot < 0 ? undefined : this.tableId(name.slice(0, dot)));
  }

  /** Returns the identifier of a column of a visible table. The column's name may be in any letter case. */
  columnId(table: string, column: string): string | undefined {
    const found = this.#columns.get(table)?.find((each) => each.toLowerCase() === column.toLowerCase());
    return found === undefined ? undefined : `${table}.${joinName([found])}`;
  }

  #addTable(named: NamedTable, isVisible: boolean): void {
    const { id, connection, schema, table, columns } = named;
    const names = [table, `${schema}.${table}`, `${connection}.${table}`, `${connection}.${schema}.${table}`, id];
    const target = isVisible ? this.#known : this.#hidden;
    for (const name of new Set(names.map((each) => each.toLowerCase()))) {
      target.add(name);
      for (const column of columns) target.add(`${name}.${column.toLowerCase()}`);
      if (isVisible) this.#tables.set(name, this.#tables.has(name) && this.#tables.get(name) !== id ? undefined : id);
    }
    for (const name of [schema, connection, `${connection}.${schema}`]) target.add(name.toLowerCase());
    const owner = connection.toLowerCase();
    this.#connections.set(owner, isVisible || this.#connections.get(owner) === true);
    for (const column of columns) target.add(column.toLowerCase());
    if (isVisible) this.#columns.set(id, columns);
  }
}
