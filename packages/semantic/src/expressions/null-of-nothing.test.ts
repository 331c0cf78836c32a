import { expect, test } from "vitest";
import { isNullOfNothing } from "./null-of-nothing.ts";
import { parseExpression } from "./parse-expression.ts";

test.each([
  ["a + 1", true],
  ["upper(a)", true],
  ["nullif(a, 2)", true],
  ["coalesce(a, b)", true],
  ["greatest(a, b)", true],
  ["EXTRACT(year FROM a)", true],
  ["coalesce(a, 2)", false],
  ["ifnull(a, 2)", false],
  ["nvl(a, 2)", false],
  ["greatest(a, 2)", false],
  ["least(a, b, 2)", false],
  ["if(a > 1, b, 2)", false],
  ["iif(a > 1, b, 2)", false],
  ["CASE WHEN a > 1 THEN b ELSE 2 END", false],
  ["nullif(2, a)", false],
  ["a IS DISTINCT FROM b", false],
])("whether %s is NULL where a join finds no row: %s", (expression, expected) => {
  expect(isNullOfNothing(parseExpression(expression))).toBe(expected);
});
