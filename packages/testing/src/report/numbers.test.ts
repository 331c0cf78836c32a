import { expect, test } from "vitest";
import {
  costWords,
  dollarWords,
  formatPercent,
  formatScore,
  formatThreshold,
  moment,
  scoreBeside,
  tokenWords,
} from "./numbers.ts";

test("only a share of 1 is shown as 100%, and only 0 as 0%", () => {
  expect([0, 1, 0.925, 1 / 3, 0.99999, 0.00001].map(formatPercent)).toEqual([
    ...["0%", "100%", "92.5%", "33.3%", "99.9%", "0.1%"],
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

test("a score just below its threshold is not shown like the threshold", () => {
  expect(scoreBeside({ score: 0.69996, threshold: 0.7, unit: null })).toBe("0.69996");
  expect(scoreBeside({ score: 0.7, threshold: 0.7, unit: null })).toBe("0.70");
});

test("times are in UTC in every time zone", () => {
  expect(moment("2026-03-14T09:26:53.589Z")).toBe("2026-03-14 09:26:53 UTC");
});
