import { expect, test } from "vitest";
import { operandsOfRow } from "./operands-of-row.ts";
import { parseExpression } from "./parse-expression.ts";

test.each([
  ["a < 5", "a < 5"],
  ["a IS NULL", "a IS NULL"],
  ["coalesce(a, 0) < 5", "CASE WHEN id IS NOT NULL THEN coalesce(a, 0) END < 5"],
  ["5 > least(a, 9)", "5 > CASE WHEN id IS NOT NULL THEN least(a, 9) END"],
  ["coalesce(a, 0) IS NULL", "CASE WHEN id IS NOT NULL THEN coalesce(a, 0) END IS NULL"],
  ["coalesce(a, 0) IN (1, 2)", "CASE WHEN id IS NOT NULL THEN coalesce(a, 0) END IN (1, 2)"],
  ["NOT coalesce(a, 0) IS NULL", "NOT CASE WHEN id IS NOT NULL THEN coalesce(a, 0) END IS NULL"],
  ["NOT a IS DISTINCT FROM b", "NOT a IS DISTINCT FROM b"],
  ["coalesce(a, TRUE)", "CASE WHEN id IS NOT NULL THEN coalesce(a, TRUE) END"],
])("%s becomes %s where a join may find no row", (given, expected) => {
  expect(operandsOfRow(parseExpression(given), () => ["id"])).toEqual(parseExpression(expected));
  expect(operandsOfRow(parseExpression(given), () => undefined)).toEqual(parseExpression(given));
});
