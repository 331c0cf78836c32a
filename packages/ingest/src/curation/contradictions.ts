/** What the words of two statements say about a contradiction between them. Pure. */
import type { ClaimNode } from "./claim-nodes.ts";
import { isPartOf } from "./wording/compare-wordings.ts";
import type { Wording } from "./wording/read-wording.ts";

/** Whether two statements have the same words, and other numbers or the opposite sense: `within 24 hours`, `within 12 hours`. */
export function isSuspicious(a: Wording, b: Wording): boolean {
  const areOther = !areEqual(a.numbers, b.numbers) || a.isNegated !== b.isNegated;
  return areOther && areEqual(wordsOf(a), wordsOf(b));
}

/**
 * Whether order may decide between two statements that contradict each other according to a model. Beside the subject they must share
 * a word of what they say about it, or both define it. Otherwise only a person decides: a wrong answer would retire what is true.
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

/** The words of a statement without its numbers. */
function wordsOf({ stems, numbers }: Wording): ReadonlySet<string> {
  const values = new Set(Array.from(numbers, (number) => number.split(" ")[0] ?? number));
  return new Set(Array.from(stems).filter((stem) => !values.has(stem)));
}

function areEqual(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && Array.from(a).every((each) => b.has(each));
}
