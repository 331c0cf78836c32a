import type { ColumnFacts, TableOfSchema } from "../schema-facts.ts";

/**
 * Returns the expected number of pairs of rows with equal values in all columns, if the columns were independent. If many pairs are
 * expected but the columns are unique together, that is hardly an accident.
 */
export function expectedRepeats(columns: readonly ColumnFacts[], { rows }: TableOfSchema): number {
  return columns.reduce((pairs, column) => pairs * repeatShare(column), (rows * (rows - 1)) / 2);
}

/** Returns the probability that two rows have the same value. */
function repeatShare({ sketch, filled, distinct }: ColumnFacts): number {
  if (!sketch.complete || filled === 0) return 1 / Math.max(1, distinct);
  return sketch.counts.reduce((sum, count) => sum + (count / filled) ** 2, 0);
}

/**
 * Whether one of two columns numbers the rows within each value of the other: as many rows have its first number as the other has values.
 */
export function isCounted([first, second, ...more]: readonly ColumnFacts[]): boolean {
  if (first === undefined || second === undefined || more.length > 0) return false;
  return numbers(second, first) || numbers(first, second);
}

function numbers(counter: ColumnFacts, counted: ColumnFacts): boolean {
  const { sketch, integers, range, distinct } = counter;
  if (!integers || range === undefined || !sketch.complete || distinct < 2 || counted.distinct < 3) return false;
  const [min, greatest] = range;
  const startsLow = min === 0 || min === 1;
  if (!startsLow || greatest - min + 1 !== distinct || distinct >= counted.distinct) return false;
  return sketch.counts.reduce((max, count) => Math.max(max, count), 0) === counted.distinct;
}
