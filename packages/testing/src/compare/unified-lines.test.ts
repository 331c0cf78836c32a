import fc from "fast-check";
import { expect, test } from "vitest";
import { unifiedLines } from "./unified-lines.ts";

test("a diff shows changes with the lines around them, in separate parts", () => {
  const before = [..."abcdefghij"];
  const after = before.with(0, "A").with(9, "J");
  expect(unifiedLines(before, after, 1)).toEqual([
    "@@ -1,2 +1,2 @@",
    "-a",
    "+A",
    " b",
    "@@ -9,2 +9,2 @@",
    " i",
    "-j",
    "+J",
  ]);
});

test("a diff without changes is empty", () => {
  expect(unifiedLines(["a"], ["a"])).toEqual([]);
  expect(unifiedLines([], [])).toEqual([]);
});

test("a diff contains both texts for any lines", () => {
  const lines = fc.array(fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[\r\n]/g, "")));
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      fc.pre(JSON.stringify(before) !== JSON.stringify(after));
      const [head, ...rest] = unifiedLines(before, after, 1_000);
      const without = (mark: string) => rest.filter((line) => !line.startsWith(mark)).map((line) => line.slice(1));
      expect(head).toMatch(/^@@ -\d+,\d+ \+\d+,\d+ @@$/);
      expect(without("+")).toEqual(before);
      expect(without("-")).toEqual(after);
    }),
  );
});

test("a diff replaces long different texts as a whole, quickly", () => {
  const lines = (word: string) => Array.from({ length: 5_000 }, (_, index) => `${word} ${index}`);
  const start = performance.now();
  const difference = unifiedLines(lines("before"), lines("after"));
  expect(performance.now() - start).toBeLessThan(5_000);
  expect(difference).toHaveLength(10_001);
  expect(difference[0]).toBe("@@ -1,5000 +1,5000 @@");
});
