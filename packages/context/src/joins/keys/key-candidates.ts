import type { JoinChecks } from "../profile.ts";
import type { ColumnFacts, TableOfSchema } from "../schema-facts.ts";

/** Columns that may identify the rows of a table. */
export interface KeyCandidate {
  readonly table: TableOfSchema;
  readonly columns: readonly ColumnFacts[];
  /** Whether no subset of the columns is a candidate. */
  readonly minimal: boolean;
}

/** In a table with more columns than this, the first ones are combined, together with the most key-like of the others. */
const firstCombined = 8;
const laterCombined = 5;

/** Finds all unique single columns and small sets of columns. Sends at most three queries. */
export async function findKeyCandidates(table: TableOfSchema, checks: JoinChecks): Promise<readonly KeyCandidate[]> {
  if (table.rows < 1) return [];
  const usable = table.columns.filter((column) => column.usable && column.full);
  const found: (readonly ColumnFacts[])[] = usable.filter(({ unique }) => unique).map((column) => [column]);
  if (table.rows > 1) {
    const pool = choosePool(usable.filter(({ distinct }) => distinct > 1));
    const starts = leadingSets(usable);
    for (const size of [2, 3, 4]) {
      const minimal = size === 2 || !found.some(({ length }) => length < size) ? combinations(pool, size) : [];
      const sets = [
        ...minimal.filter((set) => !containsSome(set, found)),
        ...starts.filter((set) => set.length === size),
      ];
      found.push(...(await keepUnique(table, withoutRepeats(sets), checks)));
    }
  }
  return found.map((columns) => ({
    table,
    columns,
    minimal: !containsSome(
      columns,
      found.filter((other) => other !== columns && other.length < columns.length),
    ),
  }));
}

/**
 * Of the later columns, takes the whole numbers and short codes with the most different values: a ticket number may be among the last
 * columns.
 */
function choosePool(columns: readonly ColumnFacts[]): readonly ColumnFacts[] {
  const later = columns
    .slice(firstCombined)
    .filter(({ integers, dates, sameLength, meanLength }) => !dates && (integers || (sameLength && meanLength <= 12)))
    .toSorted((a, b) => b.distinct - a.distinct)
    .slice(0, laterCombined);
  return columns.filter((column, at) => at < firstCombined || later.includes(column));
}

/**
 * Returns the first two, three and four columns: link tables declare such keys even if fewer columns would suffice for the current rows.
 */
function leadingSets(usable: readonly ColumnFacts[]): (readonly ColumnFacts[])[] {
  const start = usable.filter(({ position }, index) => position === index);
  return [2, 3, 4].filter((size) => start.length >= size).map((size) => start.slice(0, size));
}

async function keepUnique(
  table: TableOfSchema,
  sets: readonly (readonly ColumnFacts[])[],
  checks: JoinChecks,
): Promise<readonly (readonly ColumnFacts[])[]> {
  const possible = sets.filter((set) => set.reduce((max, { distinct }) => max * distinct, 1) >= 0.99 * table.rows);
  if (possible.length === 0) return [];
  const counts = await checks.countTuples(
    table.profile.id,
    possible.map((set) => set.map(({ name }) => name)),
  );
  return possible.filter((_, index) => {
    const { filled = 0, distinct = 0 } = counts[index] ?? {};
    return filled >= 0.98 * table.profile.rows && distinct >= 0.99 * (filled - table.profile.repeatedRows);
  });
}

function combinations(pool: readonly ColumnFacts[], size: number, from = 0): (readonly ColumnFacts[])[] {
  if (size === 0) return [[]];
  return pool
    .slice(from)
    .flatMap((column, index) => combinations(pool, size - 1, from + index + 1).map((rest) => [column, ...rest]));
}

function containsSome(set: readonly ColumnFacts[], others: readonly (readonly ColumnFacts[])[]): boolean {
  return others.some((other) => other.every((column) => set.includes(column)));
}

function withoutRepeats(sets: readonly (readonly ColumnFacts[])[]): readonly (readonly ColumnFacts[])[] {
  const id = (set: readonly ColumnFacts[]) => set.map(({ position }) => position).join();
  return [...new Map(sets.map((set) => [id(set), set])).values()];
}
