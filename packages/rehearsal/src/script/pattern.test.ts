import { expect, test } from "vitest";
import { toMatcher } from "./pattern.ts";

test("a plain pattern is a case-sensitive substring", () => {
  expect(toMatcher("refund")("a refund, please")).toBe(true);
  expect(toMatcher("refund")("a Refund, please")).toBe(false);
  expect(toMatcher("a.c")("abc")).toBe(false);
});

test("a pattern between slashes is a regular expression with its flags", () => {
  expect(toMatcher("/^refund/i")("Refund, please")).toBe(true);
  expect(toMatcher("/^refund/i")("a refund")).toBe(false);
});

test("a flag that stores state between calls has no effect", () => {
  const matches = toMatcher("/refund/g");
  expect([matches("refund"), matches("refund")]).toEqual([true, true]);
});
