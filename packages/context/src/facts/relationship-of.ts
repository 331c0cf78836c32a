/** Decides from stored counts how many rows each side of a join has for one value. All other code uses this decision. */
import { formatCount } from "@bridle/protocol";
import type { EndCounts, JoinFacts, JoinUniqueness, Relationship } from "./facts.ts";

/** Whether each value of the columns is in at most one row. Undefined if unknown. */
export function isUniqueEnd(counts: EndCounts | undefined): boolean | undefined {
  if (counts === undefined) return undefined;
  if (counts.distinct < counts.filled) return false;
  return counts.isExact ? true : undefined;
}

/** Returns the relationship. A first end that was not measured counts as having repeated values. */
export function relationshipOf(uniqueness: JoinUniqueness | undefined): Relationship {
  const to = isUniqueEnd(uniqueness?.to);
  const from = isUniqueEnd(uniqueness?.from) === true;
  if (to === undefined) return from ? "one-to-many" : "unknown";
  if (to) return from ? "one-to-one" : "many-to-one";
  return from ? "one-to-many" : "many-to-many";
}

/** Returns the relationship in the data, or the one that a user stated if nothing was measured. */
export function measuredRelationship(
  { uniqueness }: Pick<JoinFacts, "uniqueness">,
  stated: Relationship | undefined,
): Relationship {
  return uniqueness === undefined ? (stated ?? "unknown") : relationshipOf(uniqueness);
}

/** Whether a row of the first end can have several partners, so that a join repeats the row. */
function repeatsRows({ relationship }: Pick<JoinFacts, "relationship">): boolean {
  return relationship === "many-to-many" || relationship === "one-to-many";
}

/** Counts the rows of one end whose values already occur in earlier rows. */
function repeatedRows({ filled, distinct }: EndCounts): number {
  return Math.max(0, filled - distinct);
}

/**
 * Returns a part of a sentence that explains why the join repeats rows; undefined if the join does not repeat rows. `columns` names the
 * columns of the second end.
 */
export function describeRepeats(
  { relationship, uniqueness }: Pick<JoinFacts, "relationship" | "uniqueness">,
  columns: string,
): string | undefined {
  if (relationship === "unknown") return `it was not measured whether ${columns} is unique`;
  if (!repeatsRows({ relationship })) return undefined;
  const counts = uniqueness?.to;
  if (counts === undefined || repeatedRows(counts) === 0) return `${columns} is not unique: the join repeats rows`;
  const about = counts.isExact ? "" : "about ";
  return `${columns} is not unique (${formatCount(counts.filled)} rows, ${about}${formatCount(counts.distinct)} values): the join repeats rows`;
}
