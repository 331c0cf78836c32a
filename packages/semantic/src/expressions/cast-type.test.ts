import { expect, test } from "vitest";
import { parseExpression } from "./parse-expression.ts";

test("a cast to a word that every JavaScript object has is refused", () => {
  expect(() => parseExpression("amount::constructor")).toThrow(/expects a type: /);
});
