import { omitUndefined } from "@bridle/protocol";
import { defineMetric } from "../scoring/define-metric.ts";
import { NoScoreError } from "../scoring/no-score-error.ts";
import { sentencesOf } from "../scoring/sentences.ts";
import { requireGroundTruth, requireRetrieved } from "./facts.ts";
import { type JudgedMetric, type ReasonOptions, reasonSettings, withJudge } from "./judge.ts";
import { numbered } from "./material.ts";
import { asEvidence, askVerdicts, formatVerdicts, shareHolding } from "./verdicts.ts";

/**
 * Creates a metric for the share of the ground truth that the retrieved text contains: sentences that can be attributed to the retrieved
 * text / all sentences. This is the context recall of RAGAS's documentation and DeepEval's ContextualRecallMetric, with the sentences found
 * by {@link sentencesOf} instead of by the judge. If there are several ground truths, the first counts.
 */
export function contextualRecall({ includeReason = true }: ReasonOptions = {}): JudgedMetric {
  return async (facts, judge) => {
    const sentences = sentencesOf(requireGroundTruth(facts));
    if (sentences.length === 0) {
      throw new NoScoreError("the ground truth contains no sentence. Write ground_truth as sentences.");
    }
    const passages = requireRetrieved(facts);
    const verdicts = await askVerdicts(judge, {
      question:
        "The sentences are the sentences of the expected answer, in its order. A verdict holds if the content of the sentence can be attributed to one or several of the passages.",
      name: "sentence",
      texts: sentences,
      against: numbered("passage", passages),
      includeReason,
    });
    const summary = "sentences of the ground truth are in the retrieved text";
    return omitUndefined({
      score: shareHolding(verdicts),
      reason: includeReason ? formatVerdicts(verdicts, summary) : undefined,
      evidence: { sentences: asEvidence(verdicts) },
    });
  };
}

export const contextualRecallMetric = defineMetric({
  name: "contextual_recall",
  type: "rag",
  kind: "judged",
  settings: reasonSettings,
  unit: null,
  passes: "at-least",
  defaultThreshold: 0.5,
  documentation: {
    summary: "the share of the ground truth that the retrieved text contains",
    range: "0 to 1",
    needs: "retrieved text, `ground_truth`",
    cost: "1 for every 40 sentences",
  },
  open: (settings) => withJudge(contextualRecall({ includeReason: settings.include_reason })),
});
