import fc from "fast-check";
import { expect, test } from "vitest";
import { isLargerThan } from "./json-size.ts";

test("a value is larger if its JSON is, give or take signs between its parts", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(200), (value, limit) => {
      const { length } = JSON.stringify(value);
      if (isLargerThan(value, limit)) expect(length * 2 + 2).toBeGreaterThan(limit);
      else expect(limit * 30 + 30).toBeGreaterThan(length / 6);
    }),
  );
});

test.each([
  ["a text", "x".repeat(50_000_000)],
  ["a list of numbers", Array(1_000_000).fill(1)],
  ["a list of empty lists", Array(1_000_000).fill([])],
  ["keys", Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key number ${index}`, null]))],
  ["bytes", { data: Buffer.alloc(1_000_000) }],
  ["what toJSON returns", { toJSON: () => "x".repeat(1_000_000) }],
  ["the same list, many times", Array(1000).fill(Array(1000).fill(1))],
])("%s of a million characters or more is larger than half a million", (_, value) => {
  expect(isLargerThan({ deep: [value] }, 500_000)).toBe(true);
  expect(isLargerThan({ deep: [value] }, Number.POSITIVE_INFINITY)).toBe(false);
});

test("a cycle has no size, because JSON refuses it", () => {
  const cycle: { self?: unknown } = {};
  cycle.self = { list: [cycle] };
  expect(isLargerThan(cycle, 100_000)).toBe(false);
});
