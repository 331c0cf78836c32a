import { defineMetric } from "../scoring/define-metric.ts";
import type { Score } from "../scoring/score.ts";
import { describeRanks } from "./describe-ranks.ts";
import { type RankedText, rankingSettings, rankRelevantTexts } from "./relevant-texts.ts";

/**
 * The normalized discounted cumulative gain (Järvelin & Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002):
 * DCG / IDCG, with DCG = the sum over the relevant texts of gain / log2(1 + rank), and IDCG the DCG of the best ranking, with each
 * text in a separate passage and the largest gains first. Gains are linear, as in scikit-learn and trec_eval.
 *
 * If one passage contains several texts, the texts take the passage's rank and the next ranks, so that the score is at most 1. With a
 * cutoff, only ranks up to k count in DCG and in IDCG.
 */
export function ndcg(texts: readonly RankedText[], k = Number.POSITIVE_INFINITY): Score {
  const best = texts.map(({ gain }) => gain).toSorted((a, b) => b - a);
  const ideal = best.slice(0, k).reduce((sum, gain, index) => sum + discounted(gain, index + 1), 0);
  const score = Math.min(1, cumulativeGain(texts, k) / ideal);
  return { score, reason: describeRanks(texts) };
}

function cumulativeGain(texts: readonly RankedText[], k: number): number {
  const found = texts.flatMap(({ rank, gain }) => (rank === undefined ? [] : [{ rank, gain }]));
  const ordered = found.toSorted((a, b) => a.rank - b.rank || b.gain - a.gain);
  let [sum, place] = [0, 0];
  for (const { rank, gain } of ordered) {
    place = Math.max(place + 1, rank);
    if (place > k) break;
    sum += discounted(gain, place);
  }
  return sum;
}

const discounted = (gain: number, rank: number) => gain / Math.log2(1 + rank);

export const ndcgMetric = defineMetric({
  name: "ndcg",
  type: "standard",
  kind: "retrieval",
  settings: rankingSettings,
  unit: null,
  passes: "at-least",
  defaultThreshold: 0.5,
  documentation: {
    summary: "whether all relevant passages are found, the important ones first",
    range: "0 to 1",
    needs: "retrieved text; `relevant` or `ground_truth`",
    cost: "none",
    page: "ranking",
  },
  label: ({ k }) => (k === undefined ? "ndcg" : `ndcg@${k}`),
  open: (settings) => (facts) => ndcg(rankRelevantTexts(settings, facts), settings.k),
});
