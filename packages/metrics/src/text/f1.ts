import { commonCount, fMeasure } from "./overlap.ts";
import type { Score } from "./score.ts";
import { squadTokens } from "./squad-tokens.ts";

/**
 * Token F1 of SQuAD: with c the tokens that answer and reference have in common, each at most as often as both have it,
 * precision is c / tokens of the answer, recall is c / tokens of the reference, and
 * F1 = 2 * precision * recall / (precision + recall). Where one of them has no tokens, SQuAD 2 decides: 1 if both have
 * none, else 0.
 */
export function f1(answer: string, reference: string): Score {
  const given = squadTokens(answer);
  const wanted = squadTokens(reference);
  if (given.length === 0 && wanted.length === 0) return { score: 1, reason: "both have no tokens" };
  const common = commonCount(given, wanted);
  return {
    score: fMeasure(common, given.length, wanted.length),
    reason: `precision ${common}/${given.length}, recall ${common}/${wanted.length}`,
  };
}
