import { defineMetric } from "../scoring/define-metric.ts";
import type { Score } from "../scoring/score.ts";
import { describeRanks } from "./describe-ranks.ts";
import { type RankedText, rankingSettings, rankRelevantTexts } from "./relevant-texts.ts";

/**
 * Returns the reciprocal rank: 1 / the rank of the first passage with a relevant text; 0 if no passage contains one. Its mean over the
 * questions is the MRR (Voorhees, "The TREC-8 Question Answering Track Report", 1999).
 */
export function reciprocalRank(texts: readonly RankedText[]): Score {
  const ranks = texts.flatMap(({ rank }) => rank ?? []);
  return { score: ranks.length === 0 ? 0 : 1 / Math.min(...ranks), reason: describeRanks(texts) };
}

export const mrrMetric = defineMetric({
  name: "mrr",
  type: "standard",
  kind: "retrieval",
  settings: rankingSettings,
  unit: null,
  passes: "at-least",
  defaultThreshold: 0.5,
  documentation: {
    summary: "how early the first relevant passage comes",
    range: "0 to 1",
    needs: "retrieved text; `relevant` or `ground_truth`",
    cost: "none",
    page: "ranking",
  },
  label: ({ k }) => (k === undefined ? "mrr" : `mrr@${k}`),
  open: (settings) => (facts) => reciprocalRank(rankRelevantTexts(settings, facts)),
});
