import { omitUndefined } from "@bridle/protocol";
import { defineMetric } from "../scoring/define-metric.ts";
import { groundTruthExhibits, requireGroundTruth, requireRetrieved } from "./facts.ts";
import { type JudgedMetric, type ReasonOptions, reasonSettings, withJudge } from "./judge.ts";
import { asEvidence, askVerdicts, formatVerdicts, type JudgeVerdict } from "./verdicts.ts";

/**
 * Whether the relevant passages come first: the mean of the precision at the rank of each relevant passage,
 * (1 / R) * sum over k of (relevant among the first k / k) * v(k), with v(k) 1 or 0 and R the number of relevant passages.
 * This is the context precision of RAGAS's documentation, and DeepEval's ContextualPrecisionMetric. Without a relevant
 * passage the score is 0.
 */
export function contextualPrecision({ includeReason = true }: ReasonOptions = {}): JudgedMetric {
  return async (facts, judge) => {
    requireGroundTruth(facts);
    const passages = requireRetrieved(facts);
    const verdicts = await askVerdicts(judge, {
      question:
        "The ground truth is the expected answer to the input. A verdict holds if the passage helps to arrive at it.",
      name: "passage",
      texts: passages,
      against: [["input", facts.input], ...groundTruthExhibits("ground-truth", facts)],
      includeReason,
    });
    const summary = "passages help to arrive at the ground truth; these should come first";
    return omitUndefined({
      score: rankedPrecision(verdicts),
      reason: includeReason ? formatVerdicts(verdicts, summary) : undefined,
      evidence: { passages: asEvidence(verdicts) },
    });
  };
}

function rankedPrecision(verdicts: readonly JudgeVerdict[]): number {
  let relevant = 0;
  let sum = 0;
  for (const [index, { holds }] of verdicts.entries()) {
    if (!holds) continue;
    relevant += 1;
    sum += relevant / (index + 1);
  }
  return relevant === 0 ? 0 : sum / relevant;
}

export const contextualPrecisionMetric = defineMetric({
  name: "contextual_precision",
  type: "rag",
  kind: "judged",
  settings: reasonSettings,
  unit: null,
  passes: "at-least",
  defaultThreshold: 0.5,
  documentation: {
    summary: "whether the relevant passages come first",
    range: "0 to 1",
    needs: "retrieved text, `ground_truth`",
    cost: "1 for every 40 passages",
  },
  open: (settings) => withJudge(contextualPrecision({ includeReason: settings.include_reason })),
});
