import { expect, test } from "vitest";
import { findExpression } from "./find-expression.ts";

test("an expression matches anywhere in a text, and case counts unless a flag says otherwise", () => {
  expect(findExpression("shipped", "It has shipped.")).toBe(true);
  expect(findExpression("^shipped", "It has shipped.")).toBe(false);
  expect(findExpression("SHIPPED", "It has shipped.")).toBe(false);
  expect(findExpression("(?i:SHIPPED)", "It has shipped.")).toBe(true);
});

test("an invalid expression is a syntax error", () => {
  expect(() => findExpression("(", "text")).toThrow(SyntaxError);
});

test("a search that would take years is aborted", () => {
  expect(() => findExpression("^(a+)+$", `${"a".repeat(40)}b`)).toThrow("takes too long");
}, 20_000);
