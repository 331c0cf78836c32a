import { defineMetric } from "../scoring/define-metric.ts";
import type { Score } from "../scoring/score.ts";
import { requireGroundTruths, scoreAnswer } from "../scoring/score-answer.ts";
import { bleuTokens } from "./bleu-tokens.ts";
import { commonWithAny, gramsOf } from "./overlap.ts";

const longest = 4;

/**
 * Returns sentence BLEU as in sacreBLEU, divided by 100: tokenizer 13a, case sensitive, smoothing `exp`, effective order. With p(n)
 * the share of the answer's n-grams that the reference contains, each counted at most as often as there:
 *
 *   BLEU = bp * (p(1) * … * p(N)) ^ (1/N), N = min(4, tokens of the answer)
 *   bp   = 1, or e ^ (1 - tokens of the reference / tokens of the answer) if the answer is shorter
 *
 * With several references, an n-gram counts at most as often as in the reference that contains it most often. For bp, the reference with
 * the closest number of tokens is used.
 *
 * The k-th p(n) that is 0 counts as 1 / (2^k * n-grams of the answer). Without common tokens, BLEU is 0.
 */
export function bleu(answer: string, references: string | readonly string[]): Score {
  const given = bleuTokens(answer);
  const wanted = [references].flat().map(bleuTokens);
  const orders = [1, 2, 3, 4].slice(0, Math.min(longest, given.length)).map((n) => {
    const grams = gramsOf(given, n);
    const expected = wanted.map((tokens) => gramsOf(tokens, n));
    return { common: commonWithAny(grams, expected), all: grams.length };
  });
  if (!orders[0]?.common) return { score: 0, reason: "no word of the answer is in the reference" };
  const closest = closestLength(
    given.length,
    wanted.map((tokens) => tokens.length),
  );
  const brevity = given.length < closest ? Math.exp(1 - closest / given.length) : 1;
  const shares = orders.map(({ common, all }) => `${common}/${all}`).join(", ");
  return {
    score: Math.min(1, brevity * geometricMean(smoothed(orders))),
    reason: `n-grams of 1 to ${orders.length} tokens in the reference: ${shares}; brevity penalty ${rounded(brevity)}`,
  };
}

/** Finds the length that differs least; the shorter of two with the same difference. */
function closestLength(length: number, lengths: readonly number[]): number {
  const [closest = 0] = lengths.toSorted((a, b) => Math.abs(a - length) - Math.abs(b - length) || a - b);
  return closest;
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

/** Computes the geometric mean with logarithms, as sacreBLEU does. */
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
  open: () => (facts) => {
    const references = requireGroundTruths(facts);
    return scoreAnswer(facts, bleu(facts.answer, references), references.join("\n"));
  },
});
