/** Finds the tables that a database's views read, from the definitions of the views. */
import { StatementRefusedError } from "@bridle/sql";
import type { ReadTables, TableName } from "../../../port/structure.ts";
import { parseSelect } from "../dialect/parser.ts";
import { textAt } from "../dialect/syntax-tree.ts";
import { StatementWalker } from "../dialect/walk-statement.ts";

/** Matches `CREATE VIEW name (columns) AS`, where a name may be quoted, and the column list contains no parentheses outside of quotes. */
const head =
  /^CREATE\s+(?:OR\s+REPLACE\s+)?VIEW\s+(?:(?:"(?:[^"]|"")*"|[^\s"(])+)\s*(?:\((?:"(?:[^"]|"")*"|[^"()])*\)\s*)?AS\s+/i;

/** Finds tables by the names in definitions of views. */
export class ViewTables {
  readonly #functions: ReadonlySet<string>;
  readonly #tables: ReadonlyMap<string, readonly TableName[]>;

  /** Creates a finder. `functions` are those that read nothing, without the database's macros. `tables` are all tables and views. */
  constructor(functions: ReadonlySet<string>, tables: readonly TableName[]) {
    this.#functions = functions;
    this.#tables = Map.groupBy(tables, ({ table }) => table.toLowerCase());
  }

  /** Returns the tables that a view reads, or `unknown` if the view's definition calls a macro or names something that is not a table. */
  async of({ schema }: TableName, definition: string): Promise<ReadTables> {
    const select = definition.replace(head, "");
    if (select === definition) return "unknown";
    try {
      const { tables } = new StatementWalker(this.#functions).walk(await parseSelect(select));
      const read = tables.map((node) => this.#find(textAt(node, "schema_name"), textAt(node, "table_name"), schema));
      return read.every((found) => found.length > 0) ? read.flat() : "unknown";
    } catch (error) {
      if (error instanceof StatementRefusedError) return "unknown";
      throw error;
    }
  }

  /**
   * Lists all tables that a name may refer to. The first part may also be the database. A name without a schema is first looked up in the
   * view's schema.
   */
  #find(schema: string, table: string, home: string): readonly TableName[] {
    const named = this.#tables.get(table.toLowerCase()) ?? [];
    const inSchema = (wanted: string) => named.filter((each) => each.schema.toLowerCase() === wanted.toLowerCase());
    if (schema !== "") return [inSchema(schema), inSchema("main")].find((found) => found.length > 0) ?? [];
    return named.length > 1 && inSchema(home).length > 0 ? inSchema(home) : named;
  }
}
