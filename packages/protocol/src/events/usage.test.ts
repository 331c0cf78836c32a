import fc from "fast-check";
import { expect, test } from "vitest";
import { addCost, addUsage, createUsageMeter, noUsage, totalTokens, type Usage, usageSince } from "./usage.ts";

const figure = fc.nat(10_000);
const usage: fc.Arbitrary<Usage> = fc.record({
  inputTokens: figure,
  outputTokens: figure,
  cacheReadTokens: figure,
  cacheWriteTokens: figure,
});

test("the deltas of growing totals add up to the last total", () => {
  fc.assert(
    fc.property(fc.array(usage), (parts) => {
      const meter = createUsageMeter();
      let total = noUsage;
      let sum = noUsage;
      for (const part of parts) {
        total = addUsage(total, part);
        sum = addUsage(sum, meter(total, 0).usage);
      }
      expect(sum).toEqual(total);
    }),
  );
});

test("totals that shrink give zero, never a negative number, and counting continues from there", () => {
  const meter = createUsageMeter();
  meter({ ...noUsage, outputTokens: 100 }, 1);
  expect(meter({ ...noUsage, outputTokens: 40 }, 0.25)).toEqual({ usage: noUsage, usd: 0 });
  expect(meter({ ...noUsage, outputTokens: 50 }, 0.5)).toEqual({ usage: { ...noUsage, outputTokens: 10 }, usd: 0.25 });
});

test("a difference is never below zero in any field", () => {
  fc.assert(
    fc.property(usage, usage, (a, b) => {
      const since = usageSince(a, b);
      expect(Math.min(...Object.values(since))).toBeGreaterThanOrEqual(0);
      expect(totalTokens(usageSince(addUsage(a, b), b))).toBe(totalTokens(a));
    }),
  );
});

test("a sum with an estimate is an estimate, and nothing is added to an unknown cost", () => {
  expect(addCost({ usd: 1, estimate: false }, { usd: 2, estimate: true })).toEqual({ usd: 3, estimate: true });
  expect(addCost(undefined, { usd: 2, estimate: false })).toEqual({ usd: 2, estimate: false });
  expect(addCost({ usd: 2, estimate: false }, undefined)).toEqual({ usd: 2, estimate: false });
  expect(addCost(undefined, undefined)).toBeUndefined();
});

test("sums and differences of costs have no rounding errors of binary fractions", () => {
  const cost = (usd: number) => ({ usd, estimate: false });
  expect(addCost(undefined, cost(0.00007000000000000001))).toEqual(cost(0.00007));
  expect(addCost(cost(0.1), cost(0.2))).toEqual(cost(0.3));
  expect(addCost(cost(1e-9), cost(2.5e-9))).toEqual(cost(3.5e-9));
  const meter = createUsageMeter();
  meter(noUsage, 0.1);
  expect(meter(noUsage, 0.3).usd).toBe(0.2);
});
