import { requireRetrieved } from "./facts.ts";
import type { JudgedMetric, ReasonOptions } from "./judge.ts";
import { sentencesOf } from "./sentences.ts";
import { asEvidence, askEach, sayVerdicts, shareOf } from "./verdicts.ts";

/**
 * The share of the sentences of the retrieved text that are of use for the input: |relevant| / |sentences|, the context
 * relevance of Es et al. 2023 (arXiv:2309.15217), with a verdict on each sentence. Retrieved text without a sentence
 * is of no use: 0.
 */
export function contextualRelevancy({ includeReason = true }: ReasonOptions = {}): JudgedMetric {
  return async (facts, judge) => {
    const sentences = requireRetrieved(facts).flatMap(sentencesOf);
    const verdicts = await askEach(judge, {
      question:
        "The sentences are those of the retrieved text, in its order. A verdict holds where the sentence tells something that is of use for answering the input.",
      ...{ name: "sentence", texts: sentences, against: [["input", facts.input]], includeReason },
    });
    const reason =
      verdicts.length === 0
        ? "The retrieved text holds no sentence."
        : sayVerdicts(verdicts, "sentences of the retrieved text are of use for the input");
    return {
      score: shareOf(verdicts),
      ...(includeReason && { reason }),
      evidence: { sentences: asEvidence(verdicts) },
    };
  };
}
