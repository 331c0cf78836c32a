/** Orders the rows, and applies limits with ties. */
import type { WorldQuery } from "../random-world.ts";
import { keyIdentity } from "./naive-groups.ts";
import { compareValues, type NaiveValue } from "./naive-values.ts";

type Row = readonly NaiveValue[];

/** Orders and limits rows. NULL comes last in both directions. Ties follow the order of the dimensions. */
export function limitRows(
  { orderBy = [], limit, limitPer, ties = limitPer ? "keep" : "cut" }: WorldQuery,
  rows: readonly Row[],
  keyCount: number,
  column: (name: string) => number,
): readonly Row[] {
  const wanted = orderBy.map((entry) => {
    const field = typeof entry === "string" ? entry.replace(/^-/, "") : entry.field;
    return { at: column(field), isDown: typeof entry === "string" ? entry.startsWith("-") : entry.descending === true };
  });
  const keys = Array.from({ length: keyCount }, (_, at) => ({ at, isDown: false }));
  const compare = (a: Row, b: Row, by: typeof wanted) => {
    for (const { at, isDown } of by) {
      const order = compareNullsLast(a[at] ?? null, b[at] ?? null, isDown);
      if (order !== 0) return order;
    }
    return 0;
  };
  const sorted = rows.toSorted((a, b) => compare(a, b, [...wanted, ...keys]));
  if (limit === undefined) return sorted;
  const groupOf = (row: Row) => keyIdentity((limitPer ?? []).map((name) => row[column(name)] ?? null));
  const groups = Map.groupBy(sorted, groupOf);
  return sorted.filter((row) => {
    const group = groups.get(groupOf(row)) ?? [];
    const before =
      ties === "cut" ? group.indexOf(row) : group.filter((other) => compare(other, row, wanted) < 0).length;
    return before < limit;
  });
}

function compareNullsLast(a: NaiveValue, b: NaiveValue, isDown: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return isDown ? compareValues(b, a) : compareValues(a, b);
}
