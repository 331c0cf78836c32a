import { bleuTokens } from "./bleu-tokens.ts";
import { commonCount, gramsOf } from "./overlap.ts";
import type { Score } from "./score.ts";

const longest = 4;

/**
 * Sentence BLEU as sacreBLEU has it, divided by 100: tokenizer 13a, upper and lower case differ, smoothing `exp`,
 * effective order. With p(n) the share of the answer's runs of n tokens that the reference has, each at most as often:
 *
 *   BLEU = bp * (p(1) * … * p(N)) ^ (1/N), N = min(4, tokens of the answer)
 *   bp   = 1, or e ^ (1 - tokens of the reference / tokens of the answer) where the answer is shorter
 *
 * The k-th p(n) that is 0 counts as 1 / (2^k * runs of the answer); where no single token is common, BLEU is 0.
 */
export function bleu(answer: string, reference: string): Score {
  const given = bleuTokens(answer);
  const wanted = bleuTokens(reference);
  const orders = [1, 2, 3, 4].slice(0, Math.min(longest, given.length)).map((n) => {
    const runs = gramsOf(given, n);
    return { common: commonCount(runs, gramsOf(wanted, n)), all: runs.length };
  });
  if (!orders[0]?.common) return { score: 0, reason: "no word of the answer is in the reference" };
  const brevity = given.length < wanted.length ? Math.exp(1 - wanted.length / given.length) : 1;
  const shares = orders.map(({ common, all }) => `${common}/${all}`).join(", ");
  return {
    score: Math.min(1, brevity * geometricMean(smoothed(orders))),
    reason: `of runs of 1 to ${orders.length} tokens ${shares} are in the reference; brevity penalty ${rounded(brevity)}`,
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

/** By logarithms, as sacreBLEU computes it. */
function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

const rounded = (value: number) => Number(value.toFixed(3));
