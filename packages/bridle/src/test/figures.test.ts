import { expect, test } from "vitest";
import { formatCost, formatPercent, formatScore, formatThreshold } from "./figures.ts";

test.each([
  [0, null, "0.00"],
  [1, null, "1.00"],
  [0.8333, null, "0.83"],
  [0.9999, null, "0.9999"],
  [0.0004, null, "0.0004"],
  [null, null, "–"],
  [1.234, "seconds", "1.23 s"],
  [12.34, "seconds", "12.3 s"],
  [0.0123, "usd", "$0.0123"],
  [3, "steps", "3"],
  [2.3333, "steps", "2.33"],
] as const)("the score %j of the unit %j is shown as %j", (value, unit, text) => {
  expect(formatScore(value, unit)).toBe(text);
});

test("a threshold says on which side a score has to be", () => {
  expect(formatThreshold({ threshold: 0.5, passes: "at-least", unit: null })).toBe("≥ 0.50");
  expect(formatThreshold({ threshold: 2, passes: "at-most", unit: "seconds" })).toBe("≤ 2.00 s");
});

test("a share is never rounded to nothing, nor to all", () => {
  expect([0, 0.001, 0.5, 0.999, 1].map(formatPercent)).toEqual(["0 %", "1 %", "50 %", "99 %", "100 %"]);
});

test("a cost says where nobody is billed", () => {
  expect([null, { usd: 0, estimate: false }, { usd: 0.5, estimate: true }].map(formatCost)).toEqual([
    "–",
    "$0.00",
    "$0.5000 (estimate)",
  ]);
});
