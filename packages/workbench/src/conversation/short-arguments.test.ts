import { expect, test } from "vitest";
import { shortArguments } from "./short-arguments.ts";

test("arguments are one line, cut in the middle, and show what is hidden in them", () => {
  expect(shortArguments({ id: "42", lines: [1, 2] })).toBe("id: 42, lines: [1,2]");
  expect(shortArguments({ text: "a\n  b\u202ec" })).toBe("text: a b\\u{202e}c");
  expect(shortArguments("x".repeat(4000)).length).toBeLessThan(170);
  expect(shortArguments({ text: `${"x".repeat(4000)}END` })).toMatch(/^text: x+ … x+END$/);
  expect(shortArguments(undefined)).toBe("");
});
