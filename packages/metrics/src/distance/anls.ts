import { normalizeText } from "@bridle/protocol";
import { defineMetric } from "../scoring/define-metric.ts";
import type { Score } from "../scoring/score.ts";
import { compareWithGroundTruth } from "../scoring/score-answer.ts";
import { splitAtSpace } from "../scoring/white-space.ts";
import { characterCount, editDistance } from "./edit-distance.ts";

/** A lower similarity counts as a wrong answer. */
const min = 0.5;

/**
 * Returns the normalized Levenshtein similarity of Biten et al., "Scene Text Visual Question Answering" (2019), as the evaluation of
 * MP-DocVQA computes it: 1 - d / n without regard to case and with single spaces, and 0 if that is less than .5. Its mean over the
 * questions is the ANLS. An empty answer scores 0.
 */
export function anls(answer: string, reference: string): Score {
  const [given, wanted] = [comparable(answer), comparable(reference)];
  if (given === "") return { score: 0, reason: "the answer is empty" };
  const longest = Math.max(characterCount(given), characterCount(wanted));
  const distance = editDistance(given, wanted);
  const similarity = 1 - distance / longest;
  const reason = `${distance} of ${longest} characters differ`;
  if (similarity < min) return { score: 0, reason: `${reason}, which is more than half` };
  return { score: similarity, reason };
}

const comparable = (text: string) => splitAtSpace(normalizeText(text, "NFC").toLowerCase()).join(" ");

export const anlsMetric = defineMetric({
  name: "anls",
  type: "standard",
  kind: "wording",
  settings: {},
  unit: null,
  passes: "at-least",
  defaultThreshold: 0.5,
  documentation: {
    summary: "how few characters have to change; 0 if more than half",
    range: "0, and 0.5 to 1",
    needs: "`ground_truth`",
    cost: "none",
    page: "levenshtein",
  },
  open: () => compareWithGroundTruth(anls),
});
