import { requireGroundTruth, requireRetrieved } from "./facts.ts";
import type { JudgedMetric, ReasonOptions } from "./judge.ts";
import { asEvidence, askEach, sayVerdicts, type Verdict } from "./verdicts.ts";

/**
 * Whether the passages that matter come first: the mean of the precision at the rank of each relevant passage,
 * (1 / R) * sum over k of (relevant among the first k / k) * v(k), with v(k) 1 or 0 and R the number of relevant
 * passages. This is the context precision of RAGAS's documentation, and DeepEval's ContextualPrecisionMetric. Without a
 * relevant passage: 0.
 */
export function contextualPrecision({ includeReason = true }: ReasonOptions = {}): JudgedMetric {
  return async (facts, judge) => {
    const groundTruth = requireGroundTruth(facts);
    const passages = requireRetrieved(facts);
    const verdicts = await askEach(judge, {
      question:
        "The ground truth is the answer that is expected to the input. A verdict holds where the passage helps to arrive at it.",
      name: "passage",
      texts: passages,
      against: [
        ["input", facts.input],
        ["ground-truth", groundTruth],
      ],
      includeReason,
    });
    const reason = sayVerdicts(
      verdicts,
      "passages help to arrive at the ground truth; those that do should come first",
    );
    return {
      score: rankedPrecision(verdicts),
      ...(includeReason && { reason }),
      evidence: { passages: asEvidence(verdicts) },
    };
  };
}

function rankedPrecision(verdicts: readonly Verdict[]): number {
  let relevant = 0;
  let sum = 0;
  for (const [index, { holds }] of verdicts.entries()) {
    if (!holds) continue;
    relevant += 1;
    sum += relevant / (index + 1);
  }
  return relevant === 0 ? 0 : sum / relevant;
}
