import { expect, test } from "vitest";
import { findExpression } from "./find-expression.ts";

test("an expression is found anywhere in a text, with regard to case unless it says otherwise", () => {
  expect(findExpression("shipped", "It has shipped.")).toBe(true);
  expect(findExpression("^shipped", "It has shipped.")).toBe(false);
  expect(findExpression("SHIPPED", "It has shipped.")).toBe(false);
  expect(findExpression("(?i:SHIPPED)", "It has shipped.")).toBe(true);
});

test("one that cannot be read is a syntax error", () => {
  expect(() => findExpression("(", "text")).toThrow(SyntaxError);
});

test("one that would take for ever is given up", () => {
  expect(() => findExpression("^(a+)+$", `${"a".repeat(40)}b`)).toThrow("takes too long");
}, 20_000);
