/**
 * Intervals for rates of cases that ran several times. The trials of one case are similar, so three cases with twenty trials each are
 * weaker evidence than sixty cases. Each case is a cluster.
 */
import { type Interval, type Rate, wilsonInterval } from "./intervals.ts";
import { normalQuantile, studentQuantile } from "./quantiles.ts";

/**
 * Returns the interval of the share of trials that passed: Wilson's interval for the effective number of trials. The effective number
 * depends on how much the cases differ, with Student's t for few cases: Korn & Graubard, "Confidence intervals for proportions with small
 * expected number of positive counts estimated from survey data" (1998); Dean & Pagano (2015) recommend it with Wilson's interval. The
 * effective number is at most the number of trials, and at least the number of cases (Kish). With one trial for each case, the result is
 * Wilson's interval. With a single case, its trials are the sample. `undefined` without a trial.
 */
export function clusteredRate(cases: readonly Rate[]): Interval | undefined {
  const { passed, trials } = total(cases);
  if (trials === 0) return undefined;
  const effective = effectiveTrials(cases);
  return wilsonInterval((passed / trials) * effective, effective);
}

/** The rates of one case, before and after a change. */
export interface RatePair {
  readonly before: Rate;
  readonly after: Rate;
}

/**
 * Returns the interval of the rate after a change minus the rate before it, from the interval of each side: Newcombe, "Improved confidence
 * intervals for the difference between binomial proportions based on paired data" (1998), method 10. A case that is easy on both sides
 * causes no noise: `alike` is the correlation of the deviations of the same cases. `undefined` if a side has no trial.
 */
export function clusteredRateDifference(cases: readonly RatePair[]): Interval | undefined {
  const sides = [cases.map(({ before }) => before), cases.map(({ after }) => after)] as const;
  const [was, is] = [clusteredRate(sides[0]), clusteredRate(sides[1])];
  if (was === undefined || is === undefined) return undefined;
  const [first, second] = [rateOf(sides[0]), rateOf(sides[1])];
  const alike = correlation(cases, first, second);
  const half = (one: number, other: number) => Math.sqrt(Math.max(0, one ** 2 - 2 * alike * one * other + other ** 2));
  const delta = second - first;
  return {
    low: Math.max(-1, delta - half(second - is.low, was.high - first)),
    high: Math.min(1, delta + half(is.high - second, first - was.low)),
  };
}

function total(cases: readonly Rate[]): Rate {
  return cases.reduce((sum, one) => ({ passed: sum.passed + one.passed, trials: sum.trials + one.trials }), {
    passed: 0,
    trials: 0,
  });
}

function rateOf(cases: readonly Rate[]): number {
  const { passed, trials } = total(cases);
  return passed / trials;
}

function effectiveTrials(cases: readonly Rate[]): number {
  const judged = cases.filter(({ trials }) => trials > 0);
  const { trials } = total(judged);
  if (judged.length === 1) return trials;
  const fewest = trials ** 2 / judged.reduce((sum, one) => sum + one.trials ** 2, 0);
  const rate = rateOf(judged);
  if (rate === 0 || rate === 1) return fewest;
  const spread = judged.reduce((sum, one) => sum + (one.passed - rate * one.trials) ** 2, 0);
  const variance = (judged.length / (judged.length - 1)) * (spread / trials ** 2);
  const unlike = Math.min(trials, (rate * (1 - rate)) / variance);
  const forFewCases = (normalQuantile / studentQuantile(judged.length - 1)) ** 2;
  return Math.max(fewest, Math.min(trials, unlike * forFewCases));
}

/** With fewer cases, a correlation is mostly chance. */
const minPairs = 6;

/** Returns the correlation of the cases' deviations from both rates, at least 0. */
function correlation(cases: readonly RatePair[], before: number, after: number): number {
  const pairs = cases.filter((pair) => pair.before.trials > 0 && pair.after.trials > 0);
  if (pairs.length < minPairs) return 0;
  const deviations = pairs.map((pair) => [
    pair.before.passed - before * pair.before.trials,
    pair.after.passed - after * pair.after.trials,
  ]);
  const sum = (value: (was: number, is: number) => number) =>
    deviations.reduce((all, [was = 0, is = 0]) => all + value(was, is), 0);
  const [both, was, is] = [sum((a, b) => a * b), sum((a) => a * a), sum((_, b) => b * b)];
  return was === 0 || is === 0 ? 0 : Math.max(0, both / Math.sqrt(was * is));
}
