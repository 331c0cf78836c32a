import { ConfigError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { examplesOf } from "./examples-for-tests.ts";
import { regex } from "./regex.ts";

test.each(examplesOf("regex", { value: z.string() }))("regex of an example: $title", ({ given, score }) => {
  expect(regex(given.answer, given.value).score).toBe(score);
});

test("a miss says what was not found, and in what", () => {
  expect(regex("It is packed.", "shipped").reason).toBe('/shipped/ is not found in "It is packed."');
});

test.each([
  ["(", /^value cannot be read: .*Unterminated group.*\. Mend it; flags stand around a part/],
  ["(?i)shipped", /^value cannot be read: .*Invalid group/],
  ["", /^value is empty, which is found in every answer\. Write an expression\.$/],
])("the expression %j is refused with a sentence", (expression, sentence) => {
  expect(() => regex("It has shipped.", expression)).toThrow(ConfigError);
  expect(() => regex("It has shipped.", expression)).toThrow(sentence);
});

test("an expression that would search for ever is stopped", () => {
  expect(() => regex(`${"a".repeat(50)}!`, "^(a+)+$")).toThrow(/^value: .* takes too long/);
});
