import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bootstrapDifference, bootstrapMean } from "./bootstrap.ts";
import { clusteredRate, clusteredRateDifference } from "./clustered-rates.ts";
import { type Rate, wilsonInterval } from "./intervals.ts";
import { normalTail, studentQuantile } from "./quantiles.ts";

// Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3.
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])("the interval of %d of %d is %d to %d, as Newcombe's table has it", (passed, trials, low, high) => {
  expect(wilsonInterval(passed, trials)?.low).toBeCloseTo(low, 4);
  expect(wilsonInterval(passed, trials)?.high).toBeCloseTo(high, 4);
});

/** Returns the interval of the difference between two rates of different cases, each with one trial. */
function rateDifference(before: Rate, after: Rate) {
  const none = { passed: 0, trials: 0 };
  const ones = ({ passed, trials }: Rate) =>
    Array.from({ length: trials }, (_, index) => ({ passed: index < passed ? 1 : 0, trials: 1 }));
  return clusteredRateDifference([
    ...ones(before).map((one) => ({ before: one, after: none })),
    ...ones(after).map((one) => ({ before: none, after: one })),
  ]);
}

// Newcombe, "Interval estimation for the difference between independent proportions" (1998), table II, method 10.
test.each([
  [56, 70, 48, 80, 0.0524, 0.3339],
  [9, 10, 3, 10, 0.1705, 0.809],
  [6, 7, 2, 7, 0.0582, 0.8062],
  [5, 56, 0, 29, -0.0381, 0.1926],
  [0, 10, 0, 20, -0.1611, 0.2775],
  [0, 10, 0, 10, -0.2775, 0.2775],
  [10, 10, 0, 20, 0.6791, 1],
  [10, 10, 0, 10, 0.6075, 1],
])("the difference of %d/%d and %d/%d is from %d/%d, as Newcombe's table has it", (a, m, b, n, low, high) => {
  const found = rateDifference({ passed: b, trials: n }, { passed: a, trials: m });
  expect(found?.low).toBeCloseTo(low, 4);
  expect(found?.high).toBeCloseTo(high, 4);
});

const rate = fc
  .integer({ min: 1, max: 500 })
  .chain((trials) => fc.record({ trials: fc.constant(trials), passed: fc.integer({ min: 0, max: trials }) }));

test("an interval of a rate contains the rate, is within 0 and 1, and mirrors that of the failures", () => {
  fc.assert(
    fc.property(rate, ({ passed, trials }) => {
      const { low, high } = wilsonInterval(passed, trials) ?? { low: 2, high: -1 };
      expect(low >= 0 && low <= passed / trials && passed / trials <= high && high <= 1).toBe(true);
      expect(high - low).toBeGreaterThan(0);
      expect(1 - (wilsonInterval(trials - passed, trials)?.high ?? 0)).toBeCloseTo(low, 12);
    }),
  );
  expect(wilsonInterval(0, 0)).toBeUndefined();
  expect(rateDifference({ passed: 0, trials: 0 }, { passed: 1, trials: 1 })).toBeUndefined();
});

/** Numbers from 0 to below 1 from a linear congruential generator, which is not the generator of the bootstrap. */
function numbers(count: number, seed: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  });
}

describe("cases that ran several times", () => {
  const each = (count: number, passed: number, trials: number) =>
    Array.from({ length: count }, () => ({ passed, trials }));
  const width = (cases: readonly Rate[]) => {
    const { low, high } = clusteredRate(cases) ?? { low: 0, high: 0 };
    return high - low;
  };

  test("say no more than their number if all trials of a case end alike, and less than as many cases", () => {
    const alike = [...each(2, 20, 20), ...each(1, 0, 20)];
    expect(clusteredRate(alike)).toEqual(wilsonInterval(2, 3));
    expect(clusteredRate(each(3, 20, 20))).toEqual(wilsonInterval(3, 3));
    expect(width(each(3, 13, 20))).toBeGreaterThan(
      1.5 * width(each(60, 1, 1).map((one, at) => (at < 39 ? one : { passed: 0, trials: 1 }))),
    );
  });

  test("with one trial each have Wilson's interval, and so has a single case for its trials", () => {
    expect(clusteredRate([...each(8, 1, 1), ...each(2, 0, 1)])).toEqual(wilsonInterval(8, 10));
    expect(clusteredRate(each(1, 8, 10))).toEqual(wilsonInterval(8, 10));
    expect(clusteredRate([...each(1, 8, 10), ...each(3, 0, 0)])).toEqual(wilsonInterval(8, 10));
    expect(clusteredRate(each(3, 0, 0))).toBeUndefined();
  });

  test("that are as easy before as after show a small change that different cases would hide", () => {
    const levels = [2, 19, 5, 17, 8, 14, 3, 18, 10, 12];
    const rates = (more: number) => levels.map((passed) => ({ passed: passed + more, trials: 20 }));
    const [before, after] = [rates(0), rates(1)];
    const none = { passed: 0, trials: 0 };
    const same = clusteredRateDifference(before.map((one, at) => ({ before: one, after: after[at] ?? none })));
    const other = clusteredRateDifference([
      ...before.map((one) => ({ before: one, after: none })),
      ...after.map((one) => ({ before: none, after: one })),
    ]);
    expect(other?.low).toBeLessThan(-0.2);
    expect(same?.low).toBeGreaterThan(-0.02);
  });
});

/** Returns the numbers of one long sequence. Sequences with related seeds would be similar. */
function stream(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("in experiments with cases of different difficulty", () => {
  const none = { passed: 0, trials: 0 };
  const contains = (found: { low: number; high: number } | undefined, value: number) =>
    found !== undefined && found.low <= value && value <= found.high;
  const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
  const shareOf = (hits: readonly boolean[]) => hits.filter(Boolean).length / hits.length;
  const pooled = (cases: readonly Rate[]) =>
    wilsonInterval(
      cases.reduce((sum, { passed }) => sum + passed, 0),
      cases.reduce((sum, { trials }) => sum + trials, 0),
    );

  /** Two sets of trials of the same cases. The true rates of the cases are evenly spread around .6. */
  const rates = (random: () => number, cases: number, trials: number, spread: number) => {
    const levels = times(cases, () => 0.6 + (random() - 0.5) * spread);
    const side = () =>
      levels.map((level) => ({ passed: times(trials, random).filter((one) => one < level).length, trials }));
    return [side(), side()] as const;
  };

  test.each([
    [3, 20, 0.8],
    [5, 10, 0.8],
    [6, 20, 0.8],
    [12, 5, 0.8],
    [30, 3, 0.8],
    [8, 10, 0],
    [20, 1, 0.8],
  ])(
    "the interval of a rate of %d cases with %d trials contains it at least 92 times of 100",
    (count, trials, spread) => {
      const random = stream(12_345);
      const found = times(1000, () => {
        const [before, after] = rates(random, count, trials, spread);
        const pairs = before.map((one, at) => ({ before: one, after: after[at] ?? none }));
        return [contains(clusteredRate(before), 0.6), contains(clusteredRateDifference(pairs), 0)] as const;
      });
      expect(shareOf(found.map(([rate]) => rate))).toBeGreaterThan(0.92);
      expect(shareOf(found.map(([, difference]) => difference))).toBeGreaterThan(0.92);
    },
  );

  test("trials that count as if they were cases contain the rate too seldom", () => {
    const random = stream(12_345);
    expect(shareOf(times(1000, () => contains(pooled(rates(random, 3, 20, 0.8)[0]), 0.6)))).toBeLessThan(0.8);
  });

  /** Returns the sum of twelve numbers. Such a sum is almost normally distributed. */
  const bell = (random: () => number) => times(12, random).reduce((sum, one) => sum + one, -6);
  const scores = (random: () => number, cases: number, count: number) => {
    const levels = times(cases, () => bell(random));
    const side = () => levels.map((level) => times(count, () => level + bell(random)));
    return [side(), side()] as const;
  };

  test.each([
    [2, 20, 500],
    [3, 20, 500],
    [5, 10, 500],
    [6, 3, 200],
    [12, 3, 200],
  ])("the interval of a mean of %d cases with %d scores contains it at least 90 times of 100", (cases, count, runs) => {
    const random = stream(12_345);
    const found = times(runs, () => {
      const [before, after] = scores(random, cases, count);
      const pairs = before.map((one, at) => ({ before: one, after: after[at] ?? [] }));
      return [contains(bootstrapMean(before), 0), contains(bootstrapDifference(pairs), 0)] as const;
    });
    expect(shareOf(found.map(([mean]) => mean))).toBeGreaterThan(0.9);
    expect(shareOf(found.map(([, difference]) => difference))).toBeGreaterThan(0.9);
  });
});

test.each([
  [1, 12.7062],
  [5, 2.5706],
  [10, 2.2281],
  [11, 2.201],
  [30, 2.0423],
  [120, 1.9799],
])("the 97.5th percentile of Student's t with %d degrees of freedom is %d", (freedom, quantile) => {
  expect(studentQuantile(freedom)).toBeCloseTo(quantile, 3);
});

test("the tail of the normal distribution is that of the tables", () => {
  expect([0, 1, 1.96, 3].map((x) => normalTail(x).toFixed(4))).toEqual(["0.5000", "0.1587", "0.0250", "0.0013"]);
});

describe("the bootstrap interval of a mean", () => {
  test("is that of the normal distribution for many scores", () => {
    const scores = numbers(400, 7);
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    const deviation = Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length);
    const half = (1.96 * deviation) / Math.sqrt(scores.length);
    const found = bootstrapMean([scores]);
    expect(Math.abs((found?.low ?? 0) - (mean - half))).toBeLessThan(half * 0.1);
    expect(Math.abs((found?.high ?? 0) - (mean + half))).toBeLessThan(half * 0.1);
  });

  test("contains the true mean about 95 times of 100", () => {
    const hits = Array.from({ length: 300 }, (_, index) => bootstrapMean([numbers(40, index * 7919 + 1)])).filter(
      (found) => found !== undefined && found.low <= 0.5 && found.high >= 0.5,
    );
    expect(hits.length / 300).toBeGreaterThan(0.9);
    expect(hits.length / 300).toBeLessThan(0.99);
  });

  test("is wider if the scores of a case are alike, because whole cases are drawn", () => {
    const apart = numbers(60, 3);
    const alike = apart.slice(0, 12).map((score) => Array.from({ length: 5 }, () => score));
    const width = (cases: readonly (readonly number[])[]) => {
      const found = bootstrapMean(cases);
      return (found?.high ?? 0) - (found?.low ?? 0);
    };
    expect(width(alike)).toBeGreaterThan(1.5 * width([alike.flat()]));
  });

  test("is the same for the same scores, and absent for fewer than six scores or equal ones", () => {
    const scores = [0, 0.2, 0.4, 0.6, 0.8, 1];
    expect(bootstrapMean([scores])).toEqual(bootstrapMean([scores]));
    expect(bootstrapMean(scores.map((score) => [score]))).toEqual(bootstrapMean([scores]));
    expect(bootstrapMean([scores.slice(1)])).toBeUndefined();
    expect(bootstrapMean([Array(20).fill(0.8)])).toBeUndefined();
    expect(bootstrapMean([])).toBeUndefined();
  });
});

describe("the bootstrap interval of a difference", () => {
  const levels = numbers(20, 11);
  const pairs = (change: (index: number) => number) =>
    levels.map((level, index) => ({ before: [level], after: [level + change(index)] }));

  test("sees a small improvement of every case, although the cases differ a lot", () => {
    const noise = numbers(20, 5);
    const found = bootstrapDifference(pairs((index) => 0.05 + ((noise[index] ?? 0) - 0.5) * 0.02));
    expect(found?.low).toBeGreaterThan(0.04);
    expect(found?.high).toBeLessThan(0.06);
  });

  test("contains 0 if every second case improved and the others fell as much", () => {
    const found = bootstrapDifference(pairs((index) => (index % 2 === 0 ? 0.1 : -0.1)));
    expect(found?.low).toBeLessThan(0);
    expect(found?.high).toBeGreaterThan(0);
  });

  test("of few cases compares the scores of each side, and is absent for fewer than six", () => {
    const scores = numbers(8, 2);
    const found = bootstrapDifference([{ before: scores, after: scores.map((score) => score + 2) }]);
    expect(found?.low).toBeGreaterThan(1);
    expect(found?.high).toBeLessThan(3);
    expect(bootstrapDifference([{ before: scores.slice(3), after: scores }])).toBeUndefined();
    expect(bootstrapDifference(pairs(() => 1).slice(0, 5))).toBeUndefined();
  });
});
