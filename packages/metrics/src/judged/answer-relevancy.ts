import { omitUndefined } from "@bridle/protocol";
import { defineMetric } from "../scoring/define-metric.ts";
import { requireAnswer } from "./facts.ts";
import { type JudgedMetric, type ReasonOptions, reasonSettings, withJudge } from "./judge.ts";
import { listStatements } from "./statements.ts";
import { asEvidence, askVerdicts, formatVerdicts, shareHolding } from "./verdicts.ts";

/**
 * Creates a metric for the share of the answer's statements that help to answer the input: |relevant| / |statements|, as DeepEval defines
 * its AnswerRelevancyMetric. (RAGAS's answer relevancy compares embeddings of questions instead.) An answer that states nothing scores 0.
 */
export function answerRelevancy({ includeReason = true }: ReasonOptions = {}): JudgedMetric {
  return async (facts, judge) => {
    requireAnswer(facts);
    const statements = await listStatements(judge, facts, "List every statement that the answer makes.");
    const verdicts = await askVerdicts(judge, {
      question:
        "A verdict holds if the statement helps to answer the input: it answers a part of it, or it says something that is needed for that. Whether the statement is true does not count.",
      name: "statement",
      texts: statements,
      against: [["input", facts.input]],
      includeReason,
    });
    const reason =
      verdicts.length === 0
        ? "The answer states nothing."
        : formatVerdicts(verdicts, "statements help to answer the input");
    return omitUndefined({
      score: shareHolding(verdicts),
      reason: includeReason ? reason : undefined,
      evidence: { statements: asEvidence(verdicts) },
    });
  };
}

export const answerRelevancyMetric = defineMetric({
  name: "answer_relevancy",
  type: "rag",
  kind: "judged",
  settings: reasonSettings,
  unit: null,
  passes: "at-least",
  defaultThreshold: 0.5,
  documentation: {
    summary: "the share of the answer's statements that help to answer the input",
    range: "0 to 1",
    needs: "",
    cost: "2",
  },
  open: (settings) => withJudge(answerRelevancy({ includeReason: settings.include_reason })),
});
