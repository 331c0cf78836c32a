/**
 * Bootstrap intervals for means: the expanded percentiles 2.5 and 97.5 (Efron & Tibshirani, "An Introduction to the Bootstrap", 1993).
 * The random numbers for drawing scores always have the same seed, so the same scores always have the same interval.
 */
import type { Interval } from "./intervals.ts";
import { normalTail, studentQuantile } from "./quantiles.ts";

/** The scores of one case, before and after a change. */
export interface ScorePair {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** With fewer scores, an interval means nothing: five improvements in five cases happen by chance in more than 5 of 100 experiments. */
const fewest = 6;

/**
 * Returns the interval of the mean score of all cases. Whole cases are drawn, because the scores of one case are similar. Two to five cases
 * are too few to draw from, so Student's t determines their interval. With a single case, its single scores are drawn. `undefined` with
 * fewer than six scores, or if all are equal.
 */
export function bootstrapMean(cases: readonly (readonly number[])[]): Interval | undefined {
  const scored = cases.filter((scores) => scores.length > 0);
  const scores = scored.flat();
  if (scores.length < fewest || scores.every((score) => score === scores[0])) return undefined;
  if (scored.length > 1 && scored.length < fewest) {
    return studentInterval(scored.map((after) => ({ before: tally([]), after: tally(after) })));
  }
  const units = scored.length === 1 ? scores.map(single) : scored.map(tally);
  return interval(units.length, (pick) => drawMean(units, pick));
}

/**
 * Returns the interval of the mean after a change minus the mean before it. Whole cases are drawn, both sides together, so that easy and
 * hard cases cause no noise. If fewer than six cases have scores on both sides, Student's t determines the interval. With a single
 * case, single scores of each side are drawn. `undefined` with fewer than six scores on a side.
 */
export function bootstrapDifference(cases: readonly ScorePair[]): Interval | undefined {
  const scored = cases.filter(({ before, after }) => before.length + after.length > 0);
  const pairs = scored.filter(({ before, after }) => before.length > 0 && after.length > 0);
  const units = scored.map((pair) => ({ before: tally(pair.before), after: tally(pair.after) }));
  if (pairs.length >= fewest) return interval(units.length, (pick) => drawDifference(units, pick));
  const [before, after] = [scored.flatMap((pair) => pair.before), scored.flatMap((pair) => pair.after)];
  if (Math.min(before.length, after.length) < fewest) return undefined;
  if (scored.length > 1) return studentInterval(units);
  const [was, is] = [before.map(single), after.map(single)];
  return interval(was.length + is.length, (pick) => drawMean(is, pick) - drawMean(was, pick));
}

interface Tally {
  readonly sum: number;
  readonly count: number;
}
interface PairTally {
  readonly before: Tally;
  readonly after: Tally;
}

/** A whole number from 0 to below `count`. */
type Choose = (count: number) => number;

const tally = (scores: readonly number[]): Tally => ({
  sum: scores.reduce((sum, score) => sum + score, 0),
  count: scores.length,
});
const single = (score: number): Tally => ({ sum: score, count: 1 });

/**
 * Returns Student's interval of the difference of two means, or of one mean if there are no scores before. The standard error is that of a
 * ratio, by its linearized variance (Cochran, "Sampling Techniques", 1977, chapter 6). `undefined` without variance.
 */
function studentInterval(units: readonly PairTally[]): Interval | undefined {
  const [before, after] = [sideOf(units, "before"), sideOf(units, "after")];
  const deviations = units.map((unit) => after.deviation(unit.after) - before.deviation(unit.before));
  const squares = deviations.reduce((sum, deviation) => sum + deviation ** 2, 0);
  if (squares === 0) return undefined;
  const error = Math.sqrt((units.length / (units.length - 1)) * squares);
  const half = studentQuantile(units.length - 1) * error;
  const delta = after.mean - before.mean;
  return { low: delta - half, high: delta + half };
}

/** Returns the mean of a side, and a function for the share of a case in its deviation. */
function sideOf(units: readonly PairTally[], side: keyof PairTally) {
  const count = units.reduce((all, unit) => all + unit[side].count, 0);
  const mean = count === 0 ? 0 : units.reduce((all, unit) => all + unit[side].sum, 0) / count;
  return { mean, deviation: (one: Tally) => (count === 0 ? 0 : (one.sum - mean * one.count) / count) };
}

/** Draws as many units as given, with replacement, and returns their mean; `NaN` if they have no scores. */
function drawMean(units: readonly Tally[], pick: Choose): number {
  let [sum, count] = [0, 0];
  for (let drawn = 0; drawn < units.length; drawn += 1) {
    const unit = units[pick(units.length)];
    sum += unit?.sum ?? 0;
    count += unit?.count ?? 0;
  }
  return sum / count;
}

function drawDifference(units: readonly PairTally[], pick: Choose): number {
  const drawn = units.flatMap(() => units[pick(units.length)] ?? []);
  const meanOf = (side: keyof PairTally) =>
    drawn.reduce((sum, unit) => sum + unit[side].sum, 0) / drawn.reduce((sum, unit) => sum + unit[side].count, 0);
  return meanOf("after") - meanOf("before");
}

/**
 * Returns the percentiles of the drawn values, further apart for few units: draws vary less than samples do, by a factor of (n - 1) / n,
 * and Student's t is wider than the normal distribution. Hesterberg, "What Teachers Should Know About the Bootstrap" (2015), calls these
 * expanded percentiles. Draws 2,000 times, or less often with more than 500 units, because their means hardly vary.
 */
function interval(units: number, draw: (pick: Choose) => number): Interval | undefined {
  const times = Math.max(400, Math.min(2000, Math.floor(1_000_000 / units)));
  const random = createRandom(0x5eed);
  const pick: Choose = (count) => Math.floor(random() * count);
  const values = Float64Array.from({ length: times }, () => draw(pick))
    .filter(Number.isFinite)
    .sort();
  if (values.length === 0) return undefined;
  const tail = normalTail(Math.sqrt(units / (units - 1)) * studentQuantile(units - 1));
  return { low: quantile(values, tail), high: quantile(values, 1 - tail) };
}

/** Returns a quantile of sorted values, interpolated between two neighbors. */
function quantile(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(position)] ?? 0, sorted[Math.ceil(position)] ?? 0];
  return below + (above - below) * (position - Math.floor(position));
}

/** Generates pseudo-random numbers from 0 to below 1, with mulberry32 and 32 bits of state. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
