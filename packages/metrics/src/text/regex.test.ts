import { ConfigError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { examplesOf } from "../scoring/examples-for-tests.ts";
import { regex } from "./regex.ts";

test.each(examplesOf("regex", { value: z.string() }))("regex of an example: $title", ({ given, score }) => {
  expect(regex(given.answer, given.value).score).toBe(score);
});

test("a miss names the expression and the answer", () => {
  expect(regex("It is packed.", "shipped").reason).toBe('/shipped/ does not match "It is packed."');
});

test.each([
  ["(", /^value is not valid: .*Unterminated group.*\. Correct it; flags go around a part/],
  ["(?i)shipped", /^value is not valid: .*Invalid group/],
  ["", /^value is empty, and matches every answer\. Write an expression\.$/],
])("the expression %j is refused with a reason", (expression, sentence) => {
  expect(() => regex("It has shipped.", expression)).toThrow(ConfigError);
  expect(() => regex("It has shipped.", expression)).toThrow(sentence);
});

test("a search that would take years is aborted", () => {
  expect(() => regex(`${"a".repeat(50)}!`, "^(a+)+$")).toThrow(/^value: .* takes too long/);
});
