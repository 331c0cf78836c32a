/** Intervals that contain the true rate in about 95 of 100 experiments, so that noise does not look like a difference. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The 97.5th percentile of the normal distribution. */
const z = 1.959963984540054;

/**
 * The interval of Wilson, "Probable Inference, the Law of Succession, and Statistical Inference" (1927), for a rate of
 * `passed` of `trials`, without continuity correction. It stays between 0 and 1 also for few trials. `undefined` without a
 * trial.
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

/**
 * The interval of the second rate minus the first one, from the two intervals of Wilson: method 10 of Newcombe, "Interval
 * estimation for the difference between independent proportions" (1998). `undefined` if one of them has no trial.
 */
export function rateDifference(before: Rate, after: Rate): Interval | undefined {
  const was = wilsonInterval(before.passed, before.trials);
  const is = wilsonInterval(after.passed, after.trials);
  if (was === undefined || is === undefined) return undefined;
  const [first, second] = [before.passed / before.trials, after.passed / after.trials];
  const delta = second - first;
  return {
    low: delta - Math.hypot(second - is.low, was.high - first),
    high: delta + Math.hypot(is.high - second, first - was.low),
  };
}
