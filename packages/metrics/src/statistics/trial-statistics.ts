/** Statistics of a case that ran several times. */

/**
 * Returns the probability that at least one of k trials passes, estimated without bias from c passes in n trials:
 * 1 - C(n-c, k) / C(n, k). Chen et al., "Evaluating Large Language Models Trained on Code" (2021), the paper of HumanEval.
 * Throws RangeError unless 0 ≤ c ≤ n and 1 ≤ k ≤ n.
 */
export function passAtK(n: number, c: number, k: number): number {
  checkCounts(n, c, k);
  return 1 - shareOfChoices(n - c, n, k);
}

/**
 * Returns the probability that all of k trials pass, estimated without bias from c passes in n trials: C(c, k) / C(n, k).
 * Yao et al., "τ-bench" (2024), call it pass^k. Throws as `passAtK` does.
 */
export function passHatK(n: number, c: number, k: number): number {
  checkCounts(n, c, k);
  return shareOfChoices(c, n, k);
}

/** Returns the arithmetic mean; `undefined` without values. The mean of equal values is exactly that value. */
export function mean(values: readonly number[]): number | undefined {
  const [first] = values;
  if (first === undefined) return undefined;
  return first + values.reduce((sum, value) => sum + (value - first), 0) / values.length;
}

/** Returns the sample standard deviation (squares divided by n - 1); `undefined` for fewer than two values. */
export function sampleDeviation(values: readonly number[]): number | undefined {
  const middle = mean(values);
  if (middle === undefined || values.length < 2) return undefined;
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

/** Returns C(m, k) / C(n, k) for m ≤ n as a product of fractions, because the binomials themselves can be too large for a number. */
function shareOfChoices(m: number, n: number, k: number): number {
  let share = 1;
  for (let chosen = 0; chosen < k && share > 0; chosen += 1) share *= Math.max(0, m - chosen) / (n - chosen);
  return share;
}

function checkCounts(n: number, c: number, k: number): void {
  const isWhole = [n, c, k].every(Number.isInteger);
  if (isWhole && c >= 0 && c <= n && k >= 1 && k <= n) return;
  throw new RangeError(`n is ${n}, c is ${c} and k is ${k}, but 0 ≤ c ≤ n and 1 ≤ k ≤ n have to hold.`);
}
