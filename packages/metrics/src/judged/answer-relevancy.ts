import { requireAnswer } from "./facts.ts";
import type { JudgedMetric, ReasonOptions } from "./judge.ts";
import { listStatements } from "./statements.ts";
import { asEvidence, askEach, sayVerdicts, shareOf } from "./verdicts.ts";

/**
 * The share of the answer's statements that serve to answer the input: |relevant| / |statements|, as DeepEval defines
 * its AnswerRelevancyMetric. (RAGAS has a metric of a similar name that compares embeddings of questions.) An answer
 * that states nothing answers nothing: 0.
 */
export function answerRelevancy({ includeReason = true }: ReasonOptions = {}): JudgedMetric {
  return async (facts, judge) => {
    requireAnswer(facts);
    const statements = await listStatements(judge, facts, "List every statement that the answer makes.");
    const verdicts = await askEach(judge, {
      question:
        "A verdict holds where the statement serves to answer the input: it answers a part of it, or says what one needs to know for that. Whether it is true does not count.",
      ...{ name: "statement", texts: statements, against: [["input", facts.input]], includeReason },
    });
    const reason =
      verdicts.length === 0
        ? "The answer states nothing."
        : sayVerdicts(verdicts, "statements serve to answer the input");
    return {
      score: shareOf(verdicts),
      ...(includeReason && { reason }),
      evidence: { statements: asEvidence(verdicts) },
    };
  };
}
