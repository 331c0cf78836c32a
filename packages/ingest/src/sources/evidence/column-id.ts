import { joinName } from "@bridle/warehouse";
import type { ProjectionContext } from "../source.ts";

/** The identifier of a column. If nothing is known about it, it is called as the item calls it. */
export function columnId(table: string, column: string, { findColumn }: Pick<ProjectionContext, "findColumn">): string {
  return findColumn?.(table, column) ?? `${table}.${joinName([column])}`;
}
