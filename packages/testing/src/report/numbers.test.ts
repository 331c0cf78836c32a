import { passes } from "@bridle/metrics";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  costWords,
  dollarWords,
  formatDelta,
  formatPair,
  formatPercent,
  formatScore,
  formatThreshold,
  moment,
  scoreBeside,
  tokenWords,
} from "./numbers.ts";

test("only a share of 1 is shown as 100%, and only 0 as 0%", () => {
  expect([0, 1, 0.925, 1 / 3, 0.99999, 0.00001].map(formatPercent)).toEqual([
    "0%",
    "100%",
    "92.5%",
    "33.3%",
    "99.9%",
    "0.1%",
  ]);
});

test("an unknown cost is shown as not known", () => {
  expect([costWords({ usd: 0.01234, estimate: true }), costWords(null)]).toEqual(["$0.0123 (estimate)", "not known"]);
});

test("a cost of which only a part is known says so", () => {
  const cost = { usd: 0.01234, estimate: true, partial: true } as const;
  expect([costWords(cost), dollarWords(cost)]).toEqual(["at least $0.0123 (estimate)", "at least $0.0123"]);
});

test("tokens from a cache count as input", () => {
  expect(tokenWords({ inputTokens: 1000, cacheReadTokens: 200, cacheWriteTokens: 30, outputTokens: 4 })).toBe(
    "1,230 in, 4 out",
  );
});

test.each([
  [0, null, "0.00"],
  [1, null, "1.00"],
  [0.8333, null, "0.83"],
  [0.9999, null, "0.9999"],
  [0.0004, null, "0.0004"],
  [null, null, "–"],
  [1.234, "seconds", "1.2 s"],
  [0.0123, "usd", "$0.0123"],
  [3, "steps", "3"],
  [2.3333, "steps", "2.33"],
] as const)("the score %j of the unit %j is shown as %j", (value, unit, text) => {
  expect(formatScore(value, unit)).toBe(text);
});

test("a threshold says on which side scores pass", () => {
  expect(formatThreshold({ threshold: 0.5, passes: "at-least", unit: null })).toBe("≥ 0.50");
  expect(formatThreshold({ threshold: 2, passes: "at-most", unit: "seconds" })).toBe("≤ 2.0 s");
});

test.each([
  [{ score: 0.79996, threshold: 0.8, passes: "at-least", unit: null }, "0.79996 ≥ 0.80"],
  [{ score: 0.7999999, threshold: 0.8, passes: "at-least", unit: null }, "0.7999999 ≥ 0.80"],
  [{ score: 0.1 + 0.7, threshold: 0.8, passes: "at-least", unit: null }, "0.80 ≥ 0.80"], // passes: a rounding error
  [{ score: 0.8, threshold: 0.79996, passes: "at-least", unit: null }, "0.80 ≥ 0.79996"],
  [{ score: 0.802, threshold: 0.804, passes: "at-least", unit: null }, "0.80 ≥ 0.804"],
  [{ score: 0.81, threshold: 0.8, passes: "at-least", unit: null }, "0.81 ≥ 0.80"],
  [{ score: 0.7, threshold: 0.7, passes: "at-least", unit: null }, "0.70 ≥ 0.70"],
  [{ score: 2.04, threshold: 2, passes: "at-most", unit: "seconds" }, "2.040 s ≤ 2.0 s"],
  [{ score: 64.2, threshold: 64, passes: "at-most", unit: "seconds" }, "64.200 s ≤ 64 s"],
  [{ score: 0.3004, threshold: 0.3, passes: "at-most", unit: "seconds" }, "0.3004 s ≤ 0.3 s"],
  [{ score: 0.012345, threshold: 0.01234, passes: "at-most", unit: "usd" }, "$0.01235 ≤ $0.01234"],
  [{ score: 4, threshold: 3, passes: "at-most", unit: "steps" }, "4 ≤ 3"],
] as const)("of %j the score and the threshold are shown as %j", (compared, text) => {
  expect(`${scoreBeside(compared)} ${formatThreshold(compared)}`).toBe(text);
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const near = fc.tuple(share, fc.double({ min: -1e-4, max: 1e-4, noNaN: true }));

test("for any score and threshold, the figures that are shown pass exactly if the score does", () => {
  fc.assert(
    fc.property(near, fc.constantFrom("at-least", "at-most"), ([threshold, distance], direction) => {
      const score = Math.min(1, Math.max(0, threshold + distance));
      const compared = { score, threshold, passes: direction, unit: null };
      const [shown, , limit] = `${scoreBeside(compared)} ${formatThreshold(compared)}`.split(" ").map(Number);
      expect(passes(Number(shown), Number(limit), direction)).toBe(passes(score, threshold, direction));
    }),
  );
});

test("two scores that differ are shown as different, and so is their difference", () => {
  expect(formatPair([0.79996, 0.8], null)).toEqual(["0.79996", "0.80000"]);
  expect(formatPair([0.5, 0.8], null)).toEqual(["0.50", "0.80"]);
  expect(formatPair([0.8, 0.8], null)).toEqual(["0.80", "0.80"]);
  expect(formatPair([null, 0.8], null)).toEqual(["–", "0.80"]);
  expect(formatPair([1.21, 1.22], "seconds")).toEqual(["1.210 s", "1.220 s"]);
  expect([0, 0.00004, -0.00004, 0.3].map((delta) => formatDelta(delta, null))).toEqual([
    "0.00",
    "0.00004",
    "0.00004",
    "0.30",
  ]);
  expect(formatDelta(0.00001, "usd")).toBe("$0.00001");
});

test("times are in UTC in every time zone", () => {
  expect(moment("2026-03-14T09:26:53.589Z")).toBe("2026-03-14 09:26:53 UTC");
});
