import { normalQuantile } from "./quantiles.ts";

/** An interval that contains the true rate in about 95 of 100 experiments, so that noise does not look like a difference. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

const z = normalQuantile;

/**
 * Returns the interval of Wilson, "Probable Inference, the Law of Succession, and Statistical Inference" (1927), for a rate of `passed` of
 * `trials`, without continuity correction. It stays between 0 and 1 even for few trials. `undefined` without a trial.
 */
export function wilsonInterval(passed: number, trials: number): Interval | undefined {
  if (trials === 0) return undefined;
  const rate = passed / trials;
  const shrink = 1 + z ** 2 / trials;
  const middle = (rate + z ** 2 / (2 * trials)) / shrink;
  const half = (z / shrink) * Math.sqrt((rate * (1 - rate)) / trials + z ** 2 / (4 * trials ** 2));
  return {
    low: passed === 0 ? 0 : Math.max(0, middle - half),
    high: passed === trials ? 1 : Math.min(1, middle + half),
  };
}

export interface Rate {
  readonly passed: number;
  readonly trials: number;
}
