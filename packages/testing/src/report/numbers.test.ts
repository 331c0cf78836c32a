import { expect, test } from "vitest";
import { amount, cost, duration, grouped, moment, percent, score, scoreBeside, wanted } from "./numbers.ts";
import { sampleRun } from "./sample-run-for-tests.ts";

test("durations have the unit that one reads them in", () => {
  expect([0.4, 999, 1234, 59_960, 185_000, 7_390_000].map(duration)).toEqual([
    ...["0 ms", "999 ms", "1.2 s", "1 min 0 s", "3 min 5 s", "2 h 3 min"],
  ]);
});

test("a share that is not all never reads 100%, and one that is not nothing never 0%", () => {
  expect([0, 1, 0.925, 1 / 3, 0.99999, 0.00001].map(percent)).toEqual([
    "0%",
    "100%",
    "92.5%",
    "33.3%",
    "99.9%",
    "0.1%",
  ]);
});

test("a cost says whether it is an estimate, and whether it is known", () => {
  expect(cost({ usd: 0.01234, estimate: true })).toBe("$0.0123 (estimate)");
  expect(cost({ usd: 12.5, estimate: false })).toBe("$12.50");
  expect(cost(null)).toBe("not known");
});

test("a score has its unit, and a missing one is no zero", () => {
  expect([score(0, null), score(null, null), score(0.83333, null), score(1.5, "seconds")]).toEqual([
    ...["0", "–", "0.833", "1.5 s"],
  ]);
  expect([score(0.002, "usd"), score(3, "steps")]).toEqual(["$0.0020", "3"]);
  expect(wanted({ passes: "at-most", threshold: 30, unit: "seconds" })).toBe("at most 30.0 s");
});

test("a score that misses its threshold by a hair does not read like the threshold", () => {
  const [metric] = sampleRun({ cases: 1 }).cases[0]?.trials[0]?.turns[0]?.metrics ?? [];
  if (!metric) throw new Error("the first case has no metric");
  expect(scoreBeside({ ...metric, score: 0.69996, threshold: 0.7 })).toBe("0.69996");
  expect(scoreBeside({ ...metric, score: 0.7, threshold: 0.7 })).toBe("0.7");
});

test("counts are grouped, and have the noun's number", () => {
  expect([grouped(999), grouped(1234567)]).toEqual(["999", "1,234,567"]);
  expect([amount(1, "case"), amount(0, "case")]).toEqual(["1 case", "0 cases"]);
});

test("times are in UTC, wherever they are read", () => {
  expect(moment("2026-03-14T09:26:53.589Z")).toBe("2026-03-14 09:26:53 UTC");
});
