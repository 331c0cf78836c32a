import { requireGroundTruth, requireRetrieved } from "./facts.ts";
import { type JudgedMetric, NotJudgedError, type ReasonOptions } from "./judge.ts";
import { numbered } from "./material.ts";
import { sentencesOf } from "./sentences.ts";
import { asEvidence, askEach, sayVerdicts, shareOf } from "./verdicts.ts";

/**
 * The share of the ground truth that the retrieved text tells: sentences of the ground truth that can be attributed to
 * it / all of them. This is the context recall of RAGAS's documentation and DeepEval's ContextualRecallMetric, with the
 * sentences found by the rules of Unicode instead of by the judge.
 */
export function contextualRecall({ includeReason = true }: ReasonOptions = {}): JudgedMetric {
  return async (facts, judge) => {
    const sentences = sentencesOf(requireGroundTruth(facts));
    if (sentences.length === 0) {
      throw new NotJudgedError("needs a ground truth with a sentence in it. Write ground_truth as sentences.");
    }
    const passages = requireRetrieved(facts);
    const verdicts = await askEach(judge, {
      question:
        "The sentences are those of the answer that is expected, in its order. A verdict holds where what the sentence says can be attributed to one or several of the passages.",
      ...{ name: "sentence", texts: sentences, against: numbered("passage", passages), includeReason },
    });
    const reason = sayVerdicts(verdicts, "sentences of the ground truth are told by the retrieved text");
    return {
      score: shareOf(verdicts),
      ...(includeReason && { reason }),
      evidence: { sentences: asEvidence(verdicts) },
    };
  };
}
