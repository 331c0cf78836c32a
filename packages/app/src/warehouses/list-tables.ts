import type { KnownTable } from "@bridle/context";
import { omitUndefined } from "@bridle/protocol";
import { z } from "zod";
import type { ProjectContext } from "../context/project-context.ts";
import { withKnowledge } from "./open-knowledge.ts";

export const listedTableSchema = z.object({
  /** The identifier: `connection.schema.table`. */
  id: z.string(),
  kind: z.enum(["table", "view"]),
  rows: z.number().optional(),
  rowsAreExact: z.boolean(),
  description: z.string().optional(),
  problem: z.string().optional(),
  columns: z.array(z.object({ name: z.string(), type: z.string(), sensitive: z.string().optional() })).readonly(),
});
export type ListedTable = z.output<typeof listedTableSchema>;

export interface TablePage {
  readonly tables: readonly ListedTable[];
  /** The last table of the page, if more tables follow. */
  readonly last: string | undefined;
}

/** Lists tables in the order of their identifiers, beginning after `after`. */
export function listTables(
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
  context: ProjectContext,
): Promise<TablePage> {
  return withKnowledge(context, ({ knowledge }) => {
    const tables: ListedTable[] = [];
    for (const table of knowledge.tables()) {
      if (after !== undefined && compareBytes(table.id, after) <= 0) continue;
      if (tables.length === limit) return { tables, last: tables.at(-1)?.id };
      tables.push(toListed(table));
    }
    return { tables, last: undefined };
  });
}

/** Compares identifiers in the same order as the facts database. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function toListed({ id, kind, rows, rowsAreExact, description, problem, columns }: KnownTable): ListedTable {
  return omitUndefined({
    id,
    kind,
    rows,
    rowsAreExact,
    problem,
    description: description?.text,
    columns: columns.map(({ name, nativeType: type, sensitive }) => omitUndefined({ name, type, sensitive })),
  });
}
