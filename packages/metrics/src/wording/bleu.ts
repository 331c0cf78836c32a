import { defineMetric } from "../scoring/define-metric.ts";
import type { Score } from "../scoring/score.ts";
import { compareWithGroundTruth } from "../scoring/score-answer.ts";
import { bleuTokens } from "./bleu-tokens.ts";
import { commonCount, gramsOf } from "./overlap.ts";

const longest = 4;

/**
 * Sentence BLEU as in sacreBLEU, divided by 100: tokenizer 13a, case sensitive, smoothing `exp`, effective order. With p(n)
 * the share of the answer's n-grams that the reference has, each counted at most as often:
 *
 *   BLEU = bp * (p(1) * … * p(N)) ^ (1/N), N = min(4, tokens of the answer)
 *   bp   = 1, or e ^ (1 - tokens of the reference / tokens of the answer) if the answer is shorter
 *
 * The k-th p(n) that is 0 counts as 1 / (2^k * n-grams of the answer). If no token is common, BLEU is 0.
 */
export function bleu(answer: string, reference: string): Score {
  const given = bleuTokens(answer);
  const wanted = bleuTokens(reference);
  const orders = [1, 2, 3, 4].slice(0, Math.min(longest, given.length)).map((n) => {
    const grams = gramsOf(given, n);
    return { common: commonCount(grams, gramsOf(wanted, n)), all: grams.length };
  });
  if (!orders[0]?.common) return { score: 0, reason: "no word of the answer is in the reference" };
  const brevity = given.length < wanted.length ? Math.exp(1 - wanted.length / given.length) : 1;
  const shares = orders.map(({ common, all }) => `${common}/${all}`).join(", ");
  return {
    score: Math.min(1, brevity * geometricMean(smoothed(orders))),
    reason: `n-grams of 1 to ${orders.length} tokens in the reference: ${shares}; brevity penalty ${rounded(brevity)}`,
  };
}

interface Order {
  readonly common: number;
  readonly all: number;
}

function smoothed(orders: readonly Order[]): number[] {
  let divisor = 1;
  return orders.map(({ common, all }) => {
    if (common > 0) return common / all;
    divisor *= 2;
    return 1 / (divisor * all);
  });
}

/** With logarithms, as sacreBLEU computes it. */
function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

const rounded = (value: number) => Number(value.toFixed(3));

export const bleuMetric = defineMetric({
  name: "bleu",
  type: "standard",
  kind: "wording",
  settings: {},
  unit: null,
  passes: "at-least",
  defaultThreshold: 0.5,
  documentation: {
    summary: "runs of one to four words in common",
    range: "0 to 1",
    needs: "`ground_truth`",
    cost: "none",
  },
  open: () => compareWithGroundTruth(bleu),
});
