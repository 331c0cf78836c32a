import { expect, test } from "vitest";
import { counted, formatCost, formatDollars, formatDuration, listCost } from "./figures.ts";

test("durations have a readable unit", () => {
  expect([0.4, 999, 1234, 59_949, 59_960, 185_000, 3_599_600, 7_390_000].map(formatDuration)).toEqual([
    "0 ms",
    "999 ms",
    "1.2 s",
    "59.9 s",
    "1 min 0 s",
    "3 min 5 s",
    "1 h 0 min",
    "2 h 3 min",
  ]);
});

test("a small cost has four decimals, and an estimate or a part of a cost is marked", () => {
  expect([0, 0.01234, 12.5].map(formatDollars)).toEqual(["$0.0000", "$0.0123", "$12.50"]);
  expect(formatCost({ usd: 0.5, estimate: true })).toBe("$0.5000 (estimate)");
  expect(formatCost({ usd: 0.5, estimate: false })).toBe("$0.5000");
  expect(formatCost({ usd: 0.5, estimate: true, partial: true })).toBe("at least $0.5000 (estimate)");
});

test("a list of facts has no cost if it is not known or nothing was paid", () => {
  const cost = { usd: 0.5, estimate: false };
  expect([listCost(undefined), listCost({ ...cost, usd: 0 }), listCost(cost)]).toEqual([[], [], ["$0.5000"]]);
});

test("a count has grouped digits, and its noun is singular or plural", () => {
  expect([counted(1, "case"), counted(0, "case"), counted(1234, "case")]).toEqual(["1 case", "0 cases", "1,234 cases"]);
  expect(counted(2, "entry", "entries")).toBe("2 entries");
});
