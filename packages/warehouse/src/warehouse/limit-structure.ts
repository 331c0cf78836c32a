import type { TableName, TableProblem, TableStructure, WarehouseStructure } from "../port/structure.ts";

/**
 * Returns the part of a structure that a caller may see. Foreign keys to hidden tables are left out, because they contain the names of
 * these tables. `isNamed` returns whether a problem may be seen.
 */
export function limitStructure(
  { tables, problems }: WarehouseStructure,
  isVisible: (table: TableStructure | TableProblem) => boolean,
  isNamed: (problem: TableProblem) => boolean = isVisible,
): WarehouseStructure {
  const visible = tables.filter(isVisible);
  const names = new Set(visible.map(idOf));
  return {
    tables: visible.map((table) => {
      const foreignKeys = table.foreignKeys.filter(({ references }) => names.has(idOf(references)));
      return foreignKeys.length === table.foreignKeys.length ? table : { ...table, foreignKeys };
    }),
    problems: problems.filter(isNamed),
  };
}

function idOf({ schema, table }: TableName): string {
  return JSON.stringify([schema, table]);
}
