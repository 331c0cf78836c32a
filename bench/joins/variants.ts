import type { TableProfile } from "../../packages/context/src/joins/profile.ts";

/**
 * Groups data sets that are one database: variants by name, and data sets with the same numbers of columns and rows in
 * their tables.
 */
export function groupVariants(
  names: readonly string[],
  tablesOf: (name: string) => readonly TableProfile[],
): readonly (readonly string[])[] {
  const groups: string[][] = [];
  for (const name of names) {
    const known = groups.find((group) => group.some((other) => areVariants(name, other, tablesOf)));
    if (known === undefined) groups.push([name]);
    else known.push(name);
  }
  return groups;
}

function areVariants(first: string, second: string, tablesOf: (name: string) => readonly TableProfile[]): boolean {
  const stem = (name: string) => name.replace(/_(opaque|dirty|text)$/, "");
  if (stem(first) === stem(second)) return true;
  const [some, others] = [tablesOf(first), tablesOf(second)];
  return (
    some.length >= 3 && columnsOf(some) === columnsOf(others) && Math.abs(rowsOf(some) / rowsOf(others) - 1) < 0.05
  );
}

/** Lists the tables' numbers of columns, sorted. */
function columnsOf(tables: readonly TableProfile[]): string {
  return tables
    .map(({ columns }) => columns.length)
    .sort((a, b) => a - b)
    .join();
}

function rowsOf(tables: readonly TableProfile[]): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}
