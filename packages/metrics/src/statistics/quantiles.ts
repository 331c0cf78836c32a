/** Quantiles of the distributions that intervals are computed from. */

/** The 97.5th percentile of the normal distribution. */
export const normalQuantile = 1.959963984540054;

/** The 97.5th percentiles of Student's t for 1 to 10 degrees of freedom. */
const studentTable = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622, 2.2281];

/** Returns the 97.5th percentile of Student's t: from the table, and above 10 by the Cornish-Fisher expansion, exact to .001. */
export function studentQuantile(freedom: number): number {
  const known = studentTable[freedom - 1];
  if (known !== undefined) return known;
  const z = normalQuantile;
  return (
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3)
  );
}

/** Returns the share of the normal distribution below `-x` for x ≥ 0: Abramowitz and Stegun, 26.2.17, exact to .0000001. */
export function normalTail(x: number): number {
  const t = 1 / (1 + 0.2316419 * x);
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * series;
}
