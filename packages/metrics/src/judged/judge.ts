/** The parts that judged metrics share. A metric consists of prompts, answer schemas and a formula; the caller provides the judge. */
import type { Judge, MetricFacts, MetricScore, MetricScorer } from "@bridle/protocol";
import { z } from "zod";

/** The facts that a judge may see. */
export type JudgedFacts = Pick<
  MetricFacts,
  "input" | "answer" | "groundTruth" | "otherGroundTruths" | "retrievalContext"
>;

/** The score with the evidence that it was computed from, such as verdicts on single claims. */
type Judged = Required<Pick<MetricScore, "evidence">> & Pick<MetricScore, "score" | "reason">;

export interface ReasonOptions {
  /** Whether the judge gives reasons. Default: true. */
  readonly includeReason?: boolean | undefined;
}

/** A metric that asks a judge. Rejects with a NoScoreError, or with the judge's own error. */
export type JudgedMetric = (facts: JudgedFacts, judge: Judge) => Promise<Judged>;

/** Turns a judged metric into a scorer. */
export function withJudge(metric: JudgedMetric): MetricScorer {
  return (facts, { judge }) => metric(facts, judge);
}

/** The setting that all `rag` metrics have. */
export const reasonSettings = {
  include_reason: z.boolean().exactOptional().describe("Whether the judge gives reasons. Default: true."),
};
