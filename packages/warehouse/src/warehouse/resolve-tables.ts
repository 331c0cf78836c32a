import type { ResolvedTable, StatementContext } from "../port/dialect.ts";
import type { TableStructure } from "../port/structure.ts";
import type { Catalog } from "./catalog.ts";
import { refuseAmbiguous, refuseOutside, refuseTable } from "./statement-errors.ts";

export interface TableAccess {
  readonly catalog: Catalog;
  /** The name of the connection. */
  readonly connection: string;
  readonly safeFunctions?: ReadonlySet<string> | undefined;
  isInScope(name: { readonly schema: string; readonly table: string }, kind?: TableStructure["kind"]): boolean;
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

  /** Called for each table that a statement names. */
  resolve(name: readonly string[]): ResolvedTable {
    const table = this.#find(name);
    this.#read.add(table);
    return { schema: table.schema, table: table.table, relation: this.#access.relationOf(table) };
  }

  /** Whether a table exists in a schema outside of the scope is not said: the refusal is the same. */
  #find(name: readonly string[]): TableStructure {
    const { catalog, connection } = this.#access;
    const found = catalog.find(name);
    const [first, ...others] = found.filter((table) => this.#isVisible(table));
    if (first !== undefined && others.length === 0) return first;
    if (first !== undefined) throw refuseAmbiguous(name, [first, ...others]);
    const { schema, table } = catalog.placeOf(name);
    const isOutside = schema === undefined ? found.length > 0 : !this.#access.isInScope({ schema, table });
    if (found.length > 0 || isOutside || isOfEngine(schema ?? "", table)) throw refuseOutside(name, connection);
    throw refuseTable(
      name,
      catalog.structure.tables.filter((each) => this.#isVisible(each)),
    );
  }

  #isVisible(table: TableStructure): boolean {
    return this.#access.isInScope(table, table.kind);
  }
}

/** Whether a name is of the engine's own catalogue, which is never in scope. */
function isOfEngine(schema: string, table: string): boolean {
  return (
    /^(?:information_schema|pg_\w+|sys|mysql|performance_schema|system|duckdb_\w+|master|msdb)$/i.test(schema) ||
    /^(?:sqlite_|pg_|duckdb_)\w+$/i.test(table)
  );
}
