import { joinName } from "@bridle/warehouse";
import type { ProjectionContext } from "../source.ts";

/** Returns the identifier of a column. An unknown column keeps the name that the item uses. */
export function columnId(table: string, column: string, { findColumn }: Pick<ProjectionContext, "findColumn">): string {
  return findColumn?.(table, column) ?? `${table}.${joinName([column])}`;
}
