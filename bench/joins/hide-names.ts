import type { ColumnSet, JoinChecks, TableProfile } from "../../packages/context/src/joins/profile.ts";
import type { ReadDatabase } from "./read-database.ts";

/** Returns a copy of a database in which meaningless names replace those of tables and columns. Tables keep their id. */
export function hideNames({ tables, checks }: Pick<ReadDatabase, "tables" | "checks">): {
  readonly tables: readonly TableProfile[];
  readonly checks: JoinChecks;
} {
  const hidden = tables.map((table, at) => ({
    ...table,
    name: `t${String(at + 1).padStart(3, "0")}`,
    columns: table.columns.map((column, position) => ({ ...column, name: nameOf(position) })),
  }));
  const original = new Map(
    tables.flatMap(({ id, columns }) =>
      columns.map(({ name }, position) => [`${id} ${nameOf(position)}`, name] as const),
    ),
  );
  const restore = (table: string, columns: readonly string[]) =>
    columns.map((name) => original.get(`${table} ${name}`) ?? name);
  const restoreSet = ({ table, columns }: ColumnSet) => ({ table, columns: restore(table, columns) });
  return {
    tables: hidden,
    checks: {
      countTuples: (table, sets) =>
        checks.countTuples(
          table,
          sets.map((columns) => restore(table, columns)),
        ),
      countOrphans: (child, parent) => checks.countOrphans(restoreSet(child), restoreSet(parent)),
    },
  };
}

function nameOf(position: number): string {
  return `c${String(position + 1).padStart(2, "0")}`;
}
