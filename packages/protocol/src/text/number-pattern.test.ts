import { expect, test } from "vitest";
import { formatByPattern, readNumberPattern } from "./number-pattern.ts";

function format(value: unknown, pattern: string): string | undefined {
  const known = readNumberPattern(pattern);
  return known && formatByPattern(value, known);
}

test.each([
  [1234567.891, "#,##0.00", "1,234,567.89"],
  ["12345678901234567890.125", "#,##0.00 EUR", "12,345,678,901,234,567,890.13 EUR"],
  [-1234.5, "$#,##0", "-$1,235"],
  [0.12345, "0.0%", "12.3%"],
  [0.005, "0%", "1%"],
  [-0.001, "0.0", "0.0"],
  [999.995, "#,##0.00", "1,000.00"],
  [1e-7, "0.00000000", "0.00000010"],
  [7, "0 pieces", "7 pieces"],
])("%j by %j is %j", (value, pattern, shown) => {
  expect(format(value, pattern)).toBe(shown);
});

test("what is no number keeps its form", () => {
  for (const value of [null, true, "Athens", "", Number.NaN, 1e30, [1]]) expect(format(value, "0.00")).toBeUndefined();
});

test.each(["", "usd", "0.#", "#,##0.00;(0)", "00", "0.0 0", "#", "0,0"])("the pattern %j is not known", (pattern) => {
  expect(readNumberPattern(pattern)).toBeUndefined();
});
