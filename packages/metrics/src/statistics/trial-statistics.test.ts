import fc from "fast-check";
import { expect, test } from "vitest";
import { mean, passAtK, passHatK, sampleDeviation } from "./trial-statistics.ts";

test.each([
  { n: 1, c: 0, k: 1, atK: 0, because: "1 - C(1,1)/C(1,1)" },
  { n: 1, c: 1, k: 1, atK: 1, because: "1 - C(0,1)/C(1,1)" },
  { n: 2, c: 1, k: 1, atK: 1 / 2, because: "1 - 1/2" },
  { n: 2, c: 1, k: 2, atK: 1, because: "1 - C(1,2)/C(2,2), and C(1,2) is 0" },
  { n: 3, c: 1, k: 2, atK: 2 / 3, because: "1 - C(2,2)/C(3,2) = 1 - 1/3" },
  { n: 5, c: 2, k: 1, atK: 2 / 5, because: "1 - 3/5" },
  { n: 5, c: 2, k: 2, atK: 7 / 10, because: "1 - C(3,2)/C(5,2) = 1 - 3/10" },
  { n: 5, c: 2, k: 3, atK: 9 / 10, because: "1 - C(3,3)/C(5,3) = 1 - 1/10" },
  { n: 5, c: 2, k: 4, atK: 1, because: "C(3,4) is 0" },
  { n: 10, c: 3, k: 5, atK: 11 / 12, because: "1 - C(7,5)/C(10,5) = 1 - 21/252" },
  { n: 10, c: 0, k: 10, atK: 0, because: "1 - C(10,10)/C(10,10)" },
  { n: 100, c: 10, k: 1, atK: 1 / 10, because: "1 - 90/100" },
  { n: 1000, c: 1, k: 1000, atK: 1, because: "C(999,1000) is 0" },
  { n: 1000, c: 1, k: 500, atK: 1 / 2, because: "1 - C(999,500)/C(1000,500) = 1 - 500/1000" },
  { n: 1000, c: 2, k: 500, atK: 1 - (500 * 499) / (1000 * 999), because: "1 - C(998,500)/C(1000,500)" },
])("pass@$k of $c of $n is $atK: $because", ({ n, c, k, atK }) => {
  expect(passAtK(n, c, k)).toBeCloseTo(atK, 12);
});

test.each([
  { n: 1, c: 0, k: 1, hatK: 0, because: "C(0,1) is 0" },
  { n: 1, c: 1, k: 1, hatK: 1, because: "C(1,1)/C(1,1)" },
  { n: 2, c: 1, k: 1, hatK: 1 / 2, because: "1/2" },
  { n: 2, c: 1, k: 2, hatK: 0, because: "C(1,2) is 0" },
  { n: 3, c: 2, k: 2, hatK: 1 / 3, because: "C(2,2)/C(3,2)" },
  { n: 5, c: 3, k: 1, hatK: 3 / 5, because: "3/5" },
  { n: 5, c: 3, k: 2, hatK: 3 / 10, because: "C(3,2)/C(5,2)" },
  { n: 5, c: 3, k: 3, hatK: 1 / 10, because: "C(3,3)/C(5,3)" },
  { n: 5, c: 3, k: 4, hatK: 0, because: "C(3,4) is 0" },
  { n: 10, c: 7, k: 5, hatK: 1 / 12, because: "C(7,5)/C(10,5) = 21/252" },
  { n: 10, c: 10, k: 10, hatK: 1, because: "C(10,10)/C(10,10)" },
  { n: 100, c: 90, k: 1, hatK: 9 / 10, because: "90/100" },
  { n: 1000, c: 999, k: 500, hatK: 1 / 2, because: "C(999,500)/C(1000,500) = 500/1000" },
  { n: 1000, c: 998, k: 500, hatK: (500 * 499) / (1000 * 999), because: "C(998,500)/C(1000,500)" },
  { n: 1000, c: 999, k: 1000, hatK: 0, because: "C(999,1000) is 0" },
])("pass^$k of $c of $n is $hatK: $because", ({ n, c, k, hatK }) => {
  expect(passHatK(n, c, k)).toBeCloseTo(hatK, 12);
});

test.each([
  [[], undefined],
  [[0], 0],
  [[0, 1], 0.5],
  [[0, 0, 1], 1 / 3],
  [[1, 1, 1, 1], 1],
  [[2, 4, 4, 4, 5, 5, 7, 9], 5],
  [[-1, 1], 0],
  [[0.1, 0.2, 0.3], 0.2],
  [[0, 0, 0, 0], 0],
  [[10, 20], 15],
  [[1.5], 1.5],
  [[1, 2, 3, 4], 2.5],
])("the mean of %j is %s", (values, expected) => {
  if (expected === undefined) expect(mean(values)).toBeUndefined();
  else expect(mean(values)).toBeCloseTo(expected, 12);
});

test.each([0.1, 0.7, 0.8, 1 / 3])("values that are all %s have exactly that mean, and do not deviate", (value) => {
  const values = [value, value, value];
  expect([mean(values), sampleDeviation(values)]).toEqual([value, 0]);
});

// The sum of the squared deviations from the mean, divided by n - 1.
test.each([
  [[], undefined],
  [[0.7], undefined],
  [[0, 1], Math.sqrt(0.5)],
  [[1, 1], 0],
  [[0, 0, 1], Math.sqrt(2 / 3 / 2)],
  [[1, 2, 3], 1],
  [[1, 2, 3, 4], Math.sqrt(5 / 3)],
  [[2, 4, 4, 4, 5, 5, 7, 9], Math.sqrt(32 / 7)],
  [[0, 0, 0], 0],
  [[-1, 1], Math.sqrt(2)],
  [[10, 20, 30], 10],
  [[0.5, 0.5, 1, 1], Math.sqrt(0.25 / 3)],
])("the sample deviation of %j is %s", (values, expected) => {
  if (expected === undefined) expect(sampleDeviation(values)).toBeUndefined();
  else expect(sampleDeviation(values)).toBeCloseTo(expected, 12);
});

test.each([
  [0, 0, 1],
  [3, 4, 1],
  [3, -1, 1],
  [3, 1, 0],
  [3, 1, 4],
  [3, 1.5, 1],
])("n = %d, c = %d, k = %d is refused", (n, c, k) => {
  expect(() => passAtK(n, c, k)).toThrow(RangeError);
  expect(() => passHatK(n, c, k)).toThrow(
    `n is ${n}, c is ${c} and k is ${k}, but 0 ≤ c ≤ n and 1 ≤ k ≤ n have to hold.`,
  );
});

const counts = fc
  .integer({ min: 1, max: 1000 })
  .chain((n) => fc.tuple(fc.constant(n), fc.integer({ min: 0, max: n }), fc.integer({ min: 1, max: n })));

test("pass@k and pass^k are shares: pass^k is at most pass@k, both are c/n for k = 1, and each is the complement for failures", () => {
  fc.assert(
    fc.property(counts, ([n, c, k]) => {
      const [atK, hatK] = [passAtK(n, c, k), passHatK(n, c, k)];
      for (const share of [atK, hatK]) expect(share >= 0 && share <= 1).toBe(true);
      expect(hatK).toBeLessThanOrEqual(atK + 1e-12);
      expect(passAtK(n, c, 1)).toBeCloseTo(c / n, 12);
      expect(passHatK(n, c, 1)).toBeCloseTo(c / n, 12);
      expect(1 - passAtK(n, n - c, k)).toBeCloseTo(hatK, 12);
    }),
  );
});
