import { requireAnswer, requireRetrieved } from "./facts.ts";
import { type JudgedMetric, NotJudgedError, type ReasonOptions } from "./judge.ts";
import { numbered } from "./material.ts";
import { listStatements } from "./statements.ts";
import { asEvidence, askEach, sayVerdicts, shareOf } from "./verdicts.ts";

/**
 * The share of the answer's claims that the retrieved text supports: |supported| / |claims|, the faithfulness of
 * Es et al. 2023, "RAGAS: Automated Evaluation of Retrieval Augmented Generation" (arXiv:2309.15217). An answer without
 * a claim has no such share, and is an error.
 */
export function faithfulness({ includeReason = true }: ReasonOptions = {}): JudgedMetric {
  return async (facts, judge) => {
    requireAnswer(facts);
    const passages = requireRetrieved(facts);
    const claims = await listStatements(judge, facts, "List every claim of fact that the answer makes.");
    if (claims.length === 0) {
      throw new NotJudgedError(
        "has nothing to judge: the answer makes no claim. Remove the metric from a case whose answer tells no facts.",
      );
    }
    const verdicts = await askEach(judge, {
      question:
        "A verdict holds where the passages say what the claim says, or where it follows from them alone. What they do not speak of does not hold.",
      ...{ name: "claim", texts: claims, against: numbered("passage", passages), includeReason },
    });
    const reason = sayVerdicts(verdicts, "claims are supported by the retrieved text");
    return {
      score: shareOf(verdicts),
      ...(includeReason && { reason }),
      evidence: { claims: asEvidence(verdicts) },
    };
  };
}
