import { expect, test } from "vitest";
import { countCases, filterCases, type TestedCase, toCaseFilter } from "./case-filter.ts";

function tested(name: string, outcome: TestedCase["outcome"], flaky = false): TestedCase {
  return { name, outcome, flaky, passed: 0, trialsJudged: 0, statistics: [], metrics: [], trials: [] };
}

const cases = [
  tested("Finds an order", "passed"),
  tested("Refuses a refund", "failed"),
  tested("Finds a customer", "failed", true),
  tested("Sends a letter", "errored"),
];

test("a filter keeps the cases with its outcome, and the text those with it in their name", () => {
  expect(filterCases(cases, "failed", "").map(({ name }) => name)).toEqual(["Refuses a refund", "Finds a customer"]);
  expect(filterCases(cases, "all", " finds ").map(({ name }) => name)).toEqual(["Finds an order", "Finds a customer"]);
  expect(countCases(cases, "flaky")).toBe(1);
  expect(countCases(cases, "errored")).toBe(1);
});

test("an address with another filter shows all cases", () => {
  expect(toCaseFilter("flaky")).toBe("flaky");
  expect(toCaseFilter("constructor")).toBe("all");
  expect(toCaseFilter(null)).toBe("all");
});
