/** Checks whether the wording of two statements suggests a contradiction. Pure. */

import { isPartOf } from "../claims/wording/compare-wordings.ts";
import type { Wording } from "../claims/wording/read-wording.ts";
import type { ClaimNode } from "./claim-nodes.ts";

/** Whether two statements have the same words, but different numbers or the opposite sense: `within 24 hours`, `within 12 hours`. */
export function isSuspicious(a: Wording, b: Wording): boolean {
  const areOther = !areEqual(a.numbers, b.numbers) || a.isNegated !== b.isNegated;
  return areOther && areEqual(wordsOf(a), wordsOf(b));
}

/**
 * Whether authority and date may decide between two statements that contradict each other according to a model. Apart from the subject, the
 * statements must share a word, or both must define the subject. If not, only a user may decide, because a model's mistake could retire a
 * true statement.
 */
export function isSettleable(a: ClaimNode, b: ClaimNode): boolean {
  const [ours, theirs] = [wordsOf(a.wording), wordsOf(b.wording)];
  const subjects = new Set([...a.wording.subject, ...b.wording.subject]);
  const sharesWord = Array.from(ours).some((stem) => theirs.has(stem) && !subjects.has(stem));
  return sharesWord || (isDefinition(a) && isDefinition(b) && isPartOf(a.wording.subject, b.wording.subject));
}

function isDefinition({ body }: ClaimNode): boolean {
  return body.kind === "statement" && body.category === "definition";
}

/** Returns the words of a statement without its numbers. */
function wordsOf({ stems, numbers }: Wording): ReadonlySet<string> {
  const values = new Set(Array.from(numbers, (number) => number.split(" ")[0] ?? number));
  return new Set(Array.from(stems).filter((stem) => !values.has(stem)));
}

function areEqual(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && Array.from(a).every((each) => b.has(each));
}
