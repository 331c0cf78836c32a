import { expect, test } from "vitest";
import { formatDuration, formatInput, oneLine } from "./format.ts";

test("durations are told in the unit that fits", () => {
  expect([0.4, 12, 999, 1234, 59_949, 59_960, 185_000, 3_599_700, 7_985_000].map(formatDuration)).toEqual([
    "0 ms",
    "12 ms",
    "999 ms",
    "1.2 s",
    "59.9 s",
    "1 min 0 s",
    "3 min 5 s",
    "1 h 0 min",
    "2 h 13 min",
  ]);
});

test("an empty input is not shown", () => {
  expect(formatInput({})).toBe("");
  expect(formatInput(undefined)).toBe("");
  expect(formatInput({ id: 1 })).toBe('{"id":1}');
});

test("a text becomes one line of at most the width, cut between characters", () => {
  expect(oneLine("a\n\n b\tc ", 80)).toBe("a b c");
  expect(oneLine("abcdef", 4)).toBe("abc…");
  expect(oneLine("🙂🙂🙂", 2)).toBe("🙂…");
});

test("nothing that a terminal would obey is left", () => {
  expect(oneLine("a\u001b[31mb\u001b]0;title\u0007c\u009b2J", 80)).not.toMatch(/\p{Cc}/u);
});
