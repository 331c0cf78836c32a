import type { TableProfile } from "../../packages/context/src/joins/profile.ts";

/** Groups data sets that are one database: variants by name, and data sets whose tables have the same columns or row counts. */
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
  const [some, others] = [shapes(tablesOf(first)), shapes(tablesOf(second))];
  return (
    some.length >= 3 &&
    some.length === others.length &&
    some.filter((shape, at) => shape === others[at]).length >= 0.9 * some.length
  );
}

/** The rows and columns of each table, which variants share. */
function shapes(tables: readonly TableProfile[]): readonly string[] {
  return tables.map(({ rows, columns }) => `${rows}×${columns.length}`).sort();
}
