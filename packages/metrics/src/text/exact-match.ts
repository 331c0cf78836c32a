import { defineMetric } from "../scoring/define-metric.ts";
import { excerpt } from "../scoring/excerpt.ts";
import type { Score } from "../scoring/score.ts";
import { compareWithGroundTruth, faultWithoutTokens, unlessNothingIsLeft } from "../scoring/score-answer.ts";
import { squadTokens } from "./squad-tokens.ts";

/**
 * Returns SQuAD's exact match: 1 if the answer and the reference are equal in lower case, without ASCII punctuation, without articles and
 * with single spaces, else 0. Two texts that are empty after this normalization are equal.
 */
export function exactMatch(answer: string, reference: string): Score {
  const given = squadTokens(answer).join(" ");
  const wanted = squadTokens(reference).join(" ");
  if (given === wanted) return { score: 1 };
  return { score: 0, reason: `compared as ${excerpt(given)} and ${excerpt(wanted)}` };
}

export const exactMatchMetric = defineMetric({
  name: "exact_match",
  type: "standard",
  kind: "text",
  settings: {},
  unit: null,
  passes: "at-least",
  defaultThreshold: 1,
  documentation: {
    summary: "whether the answer equals the reference, ignoring case, articles and punctuation",
    range: "0 or 1",
    needs: "`ground_truth`",
    cost: "none",
  },
  groundTruthFault: (truth) => faultWithoutTokens(truth, squadTokens, "ignores articles and punctuation"),
  open: () => compareWithGroundTruth(unlessNothingIsLeft(squadTokens, exactMatch)),
});
