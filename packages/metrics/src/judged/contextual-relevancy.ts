import { omitUndefined } from "@bridle/protocol";
import { defineMetric } from "../scoring/define-metric.ts";
import { sentencesOf } from "../scoring/sentences.ts";
import { requireRetrieved } from "./facts.ts";
import { type JudgedMetric, type ReasonOptions, reasonSettings, withJudge } from "./judge.ts";
import { asEvidence, askVerdicts, formatVerdicts, shareHolding } from "./verdicts.ts";

/**
 * Creates a metric for the share of the sentences of the retrieved text that are useful for the input: |relevant| / |sentences|, the
 * context relevance of Es et al. 2023 (arXiv:2309.15217), with a verdict on each sentence. Retrieved text without a sentence scores 0.
 */
export function contextualRelevancy({ includeReason = true }: ReasonOptions = {}): JudgedMetric {
  return async (facts, judge) => {
    const sentences = requireRetrieved(facts).flatMap(sentencesOf);
    const verdicts = await askVerdicts(judge, {
      question:
        "The sentences are the sentences of the retrieved text, in its order. A verdict holds if the sentence says something that is useful for answering the input.",
      name: "sentence",
      texts: sentences,
      against: [["input", facts.input]],
      includeReason,
    });
    const reason =
      verdicts.length === 0
        ? "The retrieved text contains no sentence."
        : formatVerdicts(verdicts, "sentences of the retrieved text are useful for the input");
    return omitUndefined({
      score: shareHolding(verdicts),
      reason: includeReason ? reason : undefined,
      evidence: { sentences: asEvidence(verdicts) },
    });
  };
}

export const contextualRelevancyMetric = defineMetric({
  name: "contextual_relevancy",
  type: "rag",
  kind: "judged",
  settings: reasonSettings,
  unit: null,
  passes: "at-least",
  defaultThreshold: 0.5,
  documentation: {
    summary: "the share of the retrieved text that is useful for answering the input",
    range: "0 to 1",
    needs: "retrieved text",
    cost: "1 for every 40 sentences",
  },
  open: (settings) => withJudge(contextualRelevancy({ includeReason: settings.include_reason })),
});
