import type { SchemaFacts } from "../schema-facts.ts";
import type { KeyCandidate } from "./key-candidates.ts";

/** The number of rows below which any column may be unique by chance. */
const few = 10;

/**
 * In a table with few rows, prefers the first columns to a later column that is unique alone, if they are unique together and another table
 * begins with the same columns.
 */
export function correctFewRows(
  scores: ReadonlyMap<KeyCandidate, number>,
  schema: SchemaFacts,
): ReadonlyMap<KeyCandidate, number> {
  const corrected = new Map(scores);
  for (const own of Map.groupBy(scores, ([{ table }]) => table).values()) {
    const best = own.reduce((first, second) => (second[1] > first[1] ? second : first));
    const [{ table, columns }, score] = best;
    if (table.rows >= few || columns.length > 1 || columns[0]?.position === 0) continue;
    const repeated = own.find(([rival]) => rival.columns.length > 1 && rival.minimal && isRepeated(rival, schema));
    if (repeated === undefined) continue;
    corrected.set(best[0], repeated[1]);
    corrected.set(repeated[0], score);
  }
  return corrected;
}

/** Whether the columns are the first ones of their table and of another one. */
function isRepeated({ columns }: KeyCandidate, { names }: SchemaFacts): boolean {
  return (
    columns.every(({ position }, at) => position === at) &&
    names.areRepeatedStartInAnyCase(columns.map(({ name }) => name))
  );
}
