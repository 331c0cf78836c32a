import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addCost,
  addUsage,
  type Cost,
  createUsageMeter,
  noCost,
  noUsage,
  partialCost,
  totalTokens,
  type Usage,
  usageSince,
} from "./usage.ts";

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

test("a sum with an estimate is an estimate", () => {
  expect(addCost({ usd: 1, estimate: false }, { usd: 2, estimate: true })).toEqual({ usd: 3, estimate: true });
});

test("a sum of costs is complete, or says that it is a part, or is not known", () => {
  const cost: fc.Arbitrary<Cost | undefined> = fc.oneof(
    fc.constant(undefined),
    fc.record({ usd: fc.integer({ min: 1, max: 9 }), estimate: fc.boolean() }),
    fc.record({ usd: fc.integer({ min: 1, max: 9 }), estimate: fc.boolean(), partial: fc.constant(true as const) }),
  );
  fc.assert(
    fc.property(fc.array(cost), (costs) => {
      const sum = costs.reduce<Cost | undefined>(addCost, noCost);
      const known = costs.reduce((usd, each) => usd + (each?.usd ?? 0), 0);
      const isComplete = costs.every((each) => each !== undefined && !each.partial);
      expect(sum?.usd ?? 0).toBe(known);
      expect(sum === undefined).toBe(!isComplete && known === 0);
      expect(sum === undefined ? false : !sum.partial).toBe(isComplete);
    }),
  );
});

test("a part of a cost is marked, and nothing is no part", () => {
  expect(partialCost({ usd: 2, estimate: false })).toEqual({ usd: 2, estimate: false, partial: true });
  expect([partialCost(noCost), partialCost(undefined)]).toEqual([undefined, undefined]);
});

test("sums and differences of costs have no rounding errors of binary fractions", () => {
  const cost = (usd: number) => ({ usd, estimate: false });
  expect(addCost(noCost, cost(0.00007000000000000001))).toEqual(cost(0.00007));
  expect(addCost(cost(0.1), cost(0.2))).toEqual(cost(0.3));
  expect(addCost(cost(1e-9), cost(2.5e-9))).toEqual(cost(3.5e-9));
  const meter = createUsageMeter();
  meter(noUsage, 0.1);
  expect(meter(noUsage, 0.3).usd).toBe(0.2);
});
