import { defineMetric } from "../scoring/define-metric.ts";
import type { Score } from "../scoring/score.ts";
import { compareWithGroundTruth, faultWithoutTokens, unlessNothingIsLeft } from "../scoring/score-answer.ts";
import { squadTokens } from "../text/squad-tokens.ts";
import { commonCount, fMeasure } from "./overlap.ts";

/**
 * Returns SQuAD's token F1. With c the number of tokens in common, where a repeated token counts min(times in the answer, times in the
 * reference), precision is c / tokens of the answer, recall is c / tokens of the reference, and
 * F1 = 2 * precision * recall / (precision + recall). If one of the texts has no tokens, the SQuAD 2 rule applies: 1 if neither text has
 * tokens, else 0.
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

export const f1Metric = defineMetric({
  name: "f1",
  aliases: ["f1_score"],
  type: "standard",
  kind: "wording",
  settings: {},
  unit: null,
  passes: "at-least",
  defaultThreshold: 0.5,
  documentation: { summary: "words in common, in any order", range: "0 to 1", needs: "`ground_truth`", cost: "none" },
  groundTruthFault: (truth) => faultWithoutTokens(truth, squadTokens, "ignores articles and punctuation"),
  open: () => compareWithGroundTruth(unlessNothingIsLeft(squadTokens, f1)),
});
