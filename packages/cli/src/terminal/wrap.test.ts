import { expect, test } from "vitest";
import { wrap } from "./wrap.ts";

test("lines break between words", () => {
  expect(wrap("one two three four", 10)).toEqual(["one two", "three four"]);
});

test("characters that are two columns wide count as two", () => {
  expect(wrap("漢字漢字 漢字", 10)).toEqual(["漢字漢字", "漢字"]);
});

test("a path that is longer than a line breaks after a slash, and the text continues behind it", () => {
  expect(wrap("in /home/ada/projects/orders/bridle.yaml now", 16)).toEqual([
    "in",
    "/home/ada/",
    "projects/orders/",
    "bridle.yaml now",
  ]);
});

test("a longer word without a slash breaks anywhere, even in a very narrow terminal", () => {
  expect(wrap("a".repeat(25), 10)).toEqual(["a".repeat(10), "a".repeat(10), "a".repeat(5)]);
  expect(wrap("a".repeat(25), -3)).toHaveLength(3);
});

test("wide characters and characters of several parts are never cut in two", () => {
  expect(wrap("漢".repeat(12), 11)).toEqual(["漢漢漢漢漢", "漢漢漢漢漢", "漢漢"]);
  expect(wrap("👩‍💻".repeat(5), 10).join("")).toBe("👩‍💻".repeat(5));
  expect(wrap(`e${"\u0301"}`.repeat(11), 10)).toEqual(["e\u0301".repeat(10), "e\u0301"]);
});

test("a word of a million characters is broken in little time", { timeout: 10_000 }, () => {
  expect(wrap("a".repeat(1_000_000), 80)).toHaveLength(12_500);
  expect(wrap("漢".repeat(300_000), 80)).toHaveLength(7500);
});
