import { defineMetric } from "../scoring/define-metric.ts";
import type { Score } from "../scoring/score.ts";
import { compareWithGroundTruth, faultWithoutTokens } from "../scoring/score-answer.ts";
import { rougeTokens } from "./rouge-tokens.ts";

/**
 * Returns the Jaccard index of the words: the number of different words in both texts / the number of different words in either text. Words
 * are runs of letters and digits in lower case. 0 if neither text has a word.
 */
export function jaccard(answer: string, reference: string): Score {
  const [given, wanted] = [new Set(rougeTokens(answer)), new Set(rougeTokens(reference))];
  const common = [...given].filter((word) => wanted.has(word)).length;
  const all = given.size + wanted.size - common;
  if (all === 0) return { score: 0, reason: "neither text has a word" };
  return { score: common / all, reason: `${common} of ${all} different words are in both` };
}

export const jaccardMetric = defineMetric({
  name: "jaccard",
  type: "standard",
  kind: "wording",
  settings: {},
  unit: null,
  passes: "at-least",
  defaultThreshold: 0.5,
  documentation: {
    summary: "the share of different words in common",
    range: "0 to 1",
    needs: "`ground_truth`",
    cost: "none",
  },
  groundTruthFault: (truth) => faultWithoutTokens(truth, rougeTokens, "compares letters and digits"),
  open: () => compareWithGroundTruth(jaccard),
});
