import { omitUndefined } from "@bridle/protocol";
import { defineMetric } from "../scoring/define-metric.ts";
import { NoScoreError } from "../scoring/no-score-error.ts";
import { requireAnswer, requireRetrieved } from "./facts.ts";
import { type JudgedMetric, type ReasonOptions, reasonSettings, withJudge } from "./judge.ts";
import { numbered } from "./material.ts";
import { listStatements } from "./statements.ts";
import { asEvidence, askVerdicts, formatVerdicts, shareHolding } from "./verdicts.ts";

/**
 * Creates a metric for the share of the answer's claims that the retrieved text supports: |supported| / |claims|, the faithfulness of Es et
 * al. 2023, "RAGAS: Automated Evaluation of Retrieval Augmented Generation" (arXiv:2309.15217). If an answer makes no claim, the metric
 * rejects with NoScoreError.
 */
export function faithfulness({ includeReason = true }: ReasonOptions = {}): JudgedMetric {
  return async (facts, judge) => {
    requireAnswer(facts);
    const passages = requireRetrieved(facts);
    const claims = await listStatements(judge, facts, "List every claim of fact that the answer makes.");
    if (claims.length === 0) {
      throw new NoScoreError(
        "there is nothing to judge: the answer makes no claim. Remove the metric from cases with answers that state no facts.",
      );
    }
    const verdicts = await askVerdicts(judge, {
      question:
        "A verdict holds if the passages say what the claim says, or if the claim follows from them alone. It does not hold if the passages do not mention it.",
      name: "claim",
      texts: claims,
      against: numbered("passage", passages),
      includeReason,
    });
    return omitUndefined({
      score: shareHolding(verdicts),
      reason: includeReason ? formatVerdicts(verdicts, "claims are supported by the retrieved text") : undefined,
      evidence: { claims: asEvidence(verdicts) },
    });
  };
}

export const faithfulnessMetric = defineMetric({
  name: "faithfulness",
  type: "rag",
  kind: "judged",
  settings: reasonSettings,
  unit: null,
  passes: "at-least",
  defaultThreshold: 0.5,
  documentation: {
    summary: "the share of the answer's claims that the retrieved text supports",
    range: "0 to 1",
    needs: "retrieved text",
    cost: "2",
  },
  open: (settings) => withJudge(faithfulness({ includeReason: settings.include_reason })),
});
