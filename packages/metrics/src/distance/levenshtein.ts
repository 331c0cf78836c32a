import { normalizeText } from "@bridle/protocol";
import { defineMetric } from "../scoring/define-metric.ts";
import type { Score } from "../scoring/score.ts";
import { compareWithGroundTruth } from "../scoring/score-answer.ts";
import { characterCount, editDistance } from "./edit-distance.ts";

/**
 * Returns 1 - d / n, with d the Levenshtein distance of answer and reference and n the number of characters of the longer one. This is the
 * normalized similarity of RapidFuzz. Every character counts, including case and white space; letters with accents first get one form
 * (NFC). Two empty texts score 1.
 */
export function levenshtein(answer: string, reference: string): Score {
  const [given, wanted] = [normalizeText(answer, "NFC"), normalizeText(reference, "NFC")];
  const longest = Math.max(characterCount(given), characterCount(wanted));
  if (longest === 0) return { score: 1, reason: "both are empty" };
  const distance = editDistance(given, wanted);
  return { score: 1 - distance / longest, reason: `${distance} of ${longest} characters differ` };
}

export const levenshteinMetric = defineMetric({
  name: "levenshtein",
  type: "standard",
  kind: "wording",
  settings: {},
  unit: null,
  passes: "at-least",
  defaultThreshold: 0.5,
  documentation: {
    summary: "how few characters have to change",
    range: "0 to 1",
    needs: "`ground_truth`",
    cost: "none",
  },
  open: () => compareWithGroundTruth(levenshtein),
});
