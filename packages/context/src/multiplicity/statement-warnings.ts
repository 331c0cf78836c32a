import type { TableName } from "@bridle/warehouse";
import { formatTableId } from "../facts/identifiers.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { IsVisible } from "../knowledge/known.ts";
import { findMultipliedRows, type MultipliedRows } from "./multiplied-rows.ts";
import { TableRelation } from "./relation.ts";

/** A statement that ran, and the tables that it read. */
export interface RanStatement {
  readonly connection: string;
  readonly statement: string;
  readonly tables: readonly TableName[];
}

/** Finds where a statement multiplies rows, using the facts that a caller may see. Returns nothing if the connection was not scanned. */
export function findMultipliedIn(
  { connection, statement, tables }: RanStatement,
  knowledge: Knowledge,
  isVisible?: IsVisible,
): readonly MultipliedRows[] {
  const dialect = knowledge.connections().find(({ name }) => name === connection)?.dialect;
  if (dialect === undefined) return [];
  return findMultipliedRows(statement, dialect, (path) => {
    const [name = "", schema] = path.toReversed().map((part) => part.toLowerCase());
    const named = tables.filter(
      (each) => each.table.toLowerCase() === name && (schema === undefined || endsWith(each.schema, schema)),
    );
    const [only, ...others] = named;
    if (only === undefined || others.length > 0) return undefined;
    const id = formatTableId({ connection, ...only });
    const table = knowledge.table(id, isVisible);
    return table && new TableRelation(table, knowledge.joins(id, isVisible));
  });
}

/** Whether a schema ends with a name. On some engines a schema has several parts, such as `database.schema`. */
function endsWith(schema: string, part: string): boolean {
  return schema.toLowerCase().split(".").at(-1) === part;
}
