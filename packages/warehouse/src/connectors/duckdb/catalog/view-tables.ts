/** Which tables the views of a database read, by their definitions. */
import { StatementRefusedError } from "@bridle/sql";
import type { ReadTables, TableName } from "../../../port/structure.ts";
import { parseSelect } from "../dialect/parser.ts";
import { textAt } from "../dialect/syntax-tree.ts";
import { StatementWalker } from "../dialect/walk-statement.ts";

/** `CREATE VIEW name (columns) AS`, where a name may be quoted, and the list of columns contains no parentheses outside of quotes. */
const head =
  /^CREATE\s+(?:OR\s+REPLACE\s+)?VIEW\s+(?:(?:"(?:[^"]|"")*"|[^\s"(])+)\s*(?:\((?:"(?:[^"]|"")*"|[^"()])*\)\s*)?AS\s+/i;

/** Finds tables by the names in definitions of views. */
export class ViewTables {
  readonly #functions: ReadonlySet<string>;
  readonly #tables: ReadonlyMap<string, readonly TableName[]>;

  /** `functions` are those that read nothing, without macros of the database. `tables` are all tables and views. */
  constructor(functions: ReadonlySet<string>, tables: readonly TableName[]) {
    this.#functions = functions;
    this.#tables = Map.groupBy(tables, ({ table }) => table.toLowerCase());
  }

  /** Unknown if the definition calls a macro, or names something that is not a table. */
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
   * All tables that a name may refer to. The first part may also be the database. A name alone is first looked up in the schema of the
   * view.
   */
  #find(schema: string, table: string, home: string): readonly TableName[] {
    const named = this.#tables.get(table.toLowerCase()) ?? [];
    const inSchema = (wanted: string) => named.filter((each) => each.schema.toLowerCase() === wanted.toLowerCase());
    if (schema !== "") return [inSchema(schema), inSchema("main")].find((found) => found.length > 0) ?? [];
    return named.length > 1 && inSchema(home).length > 0 ? inSchema(home) : named;
  }
}
