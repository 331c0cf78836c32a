import type { ColumnProfile, ColumnSet, JoinChecks, TableProfile } from "./profile.ts";
import { canonicalValue, sketchValues } from "./sketch.ts";

/** A table that fits in memory. */
export interface TableRows {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** The values of each row in the order of the columns. */
  readonly rows: readonly (readonly unknown[])[];
}

/** Measures a table in memory. */
export function profileRows({ id, name, columns, rows }: TableRows): TableProfile {
  const different = new Set(rows.map((row) => JSON.stringify(row.map(String)))).size;
  return {
    id,
    name,
    rows: rows.length,
    repeatedRows: rows.length - different,
    columns: columns.map((column, at) =>
      profileValues(
        column.name,
        column.type,
        rows.map((row) => canonicalValue(row[at])),
      ),
    ),
  };
}

/** Answers exact questions about tables in memory. */
export function checkRows(tables: readonly TableRows[]): JoinChecks {
  const values = new Map(
    tables.flatMap(({ id, columns, rows }) =>
      columns.map(({ name }, at) => [`${id} ${name}`, rows.map((row) => canonicalValue(row[at]))] as const),
    ),
  );
  const tuplesOf = ({ table, columns }: ColumnSet) => {
    const lists = columns.map((name) => values.get(`${table} ${name}`) ?? []);
    const rows = (lists[0] ?? []).map((_, row) => lists.map((list) => list[row]));
    return rows.filter((row) => !row.includes(undefined)).map((row) => row.join("\u0001"));
  };
  return {
    async countTuples(table, sets) {
      const found = sets.map((columns) => tuplesOf({ table, columns }));
      return found.map((tuples) => ({ filled: tuples.length, distinct: new Set(tuples).size }));
    },
    async countOrphans(child, parent) {
      const known = new Set(tuplesOf(parent));
      const tuples = tuplesOf(child);
      const orphans = tuples.filter((tuple) => !known.has(tuple));
      const examples = [...new Set(orphans)].slice(0, 3).map((tuple) => tuple.replaceAll("\u0001", ", "));
      return { filled: tuples.length, orphans: orphans.length, examples };
    },
  };
}

function profileValues(name: string, type: string, values: readonly (string | undefined)[]): ColumnProfile {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  const different = [...counts.keys()];
  const filled = values.filter((value) => value !== undefined).length;
  const some = different.length > 0;
  const numbers = some && different.every((value) => /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value));
  const length = [...counts].reduce((sum, [value, count]) => sum + value.length * count, 0);
  const dated = some && different.slice(0, 20).every((value) => /^\d{4}-\d\d-\d\d/.test(value));
  return {
    name,
    type,
    filled,
    distinct: different.length,
    numbers,
    integers: some && different.every((value) => /^-?\d+$/.test(value)),
    dates: dated || /date|time/i.test(type),
    range: numbers ? rangeOf(different.map(Number)) : undefined,
    meanLength: filled === 0 ? 0 : length / filled,
    sameLength: new Set(different.map((value) => value.length)).size === 1,
    sketch: sketchValues(counts),
  };
}

function rangeOf(values: readonly number[]): readonly [min: number, greatest: number] {
  return values.reduce<readonly [number, number]>(
    ([min, greatest], value) => [Math.min(min, value), Math.max(greatest, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}
