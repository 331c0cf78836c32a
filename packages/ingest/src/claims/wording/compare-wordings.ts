/** Checks that two statements must pass before a model's answer about them counts. Pure. */
import type { Wording } from "./read-wording.ts";

/** Reasons why a relation that a model reported is rejected. */
export const guards = ["subject", "numbers", "negation", "identifiers", "tables", "conflict", "size"] as const;
export type Guard = (typeof guards)[number];

export interface Comparable {
  readonly wording: Wording;
  readonly tables: readonly string[];
}

/** Explains why two statements cannot have the same meaning; undefined if they may. */
export function whyNotSame(a: Comparable, b: Comparable): Guard | undefined {
  if (!areAboutTheSame(a.wording, b.wording)) return "subject";
  if (!equal(a.wording.numbers, b.wording.numbers)) return "numbers";
  if (a.wording.isNegated !== b.wording.isNegated) return "negation";
  if (!isPartOf(a.wording.identifiers, b.wording.identifiers)) return "identifiers";
  return isPartOf(new Set(a.tables), new Set(b.tables)) ? undefined : "tables";
}

/** Explains why two statements cannot contradict each other; undefined if they may. */
export function whyNoConflict(a: Comparable, b: Comparable): Guard | undefined {
  if (!areAboutTheSame(a.wording, b.wording)) return "subject";
  const [ours, theirs] = [new Set(a.tables), new Set(b.tables)];
  const areOther = ours.size > 0 && theirs.size > 0 && !Array.from(ours).some((table) => theirs.has(table));
  return areOther ? "tables" : undefined;
}

/** Whether each statement contains the other's subject. */
export function areAboutTheSame(a: Wording, b: Wording): boolean {
  return isSubset(a.subject, b.stems) && isSubset(b.subject, a.stems);
}

/** Whether one of two sets is a subset of the other. */
export function isPartOf(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return isSubset(a, b) || isSubset(b, a);
}

function equal(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && isSubset(a, b);
}

function isSubset(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size <= b.size && Array.from(a).every((each) => b.has(each));
}

/** Whether a wording adds a word, a number or a name that the others do not contain. */
export function addsToWordings(wording: Wording, others: readonly Wording[]): boolean {
  return !others.some(({ stems, numbers }) => isSubset(wording.stems, stems) && isSubset(wording.numbers, numbers));
}
