import { expect, test } from "vitest";
import { fitOnLine, formatInput } from "./one-line.ts";

test("an empty input is an empty text", () => {
  expect(formatInput({})).toBe("");
  expect(formatInput(undefined)).toBe("");
  expect(formatInput({ id: 1 })).toBe('{"id":1}');
});

test("a text becomes one line of at most the width, cut between characters", () => {
  expect(fitOnLine("a\n\n b\tc ", 80)).toBe("a b c");
  expect(fitOnLine("abcdef", 4)).toBe("abc…");
  expect(fitOnLine("🙂🙂🙂", 2)).toBe("🙂…");
  expect(fitOnLine("👩\u200d👧 1\ufe0f\u20e3", 80)).toBe("👩\u200d👧 1\ufe0f\u20e3");
});

test("control characters are shown as escapes", () => {
  expect(fitOnLine("a\u001b[31mb\u001b]0;title\u0007c\u009b2J", 80)).toBe(
    "a\\u{1b}[31mb\\u{1b}]0;title\\u{7}c\\u{9b}2J",
  );
});
