import fc from "fast-check";
import { expect, test } from "vitest";
import { countEdits, findMisspelt } from "./misspelt-words.ts";
import { WordList } from "./word-list.ts";

test.each([
  ["order", "order", 0],
  ["oredr", "order", 1],
  ["ordr", "order", 1],
  ["orderr", "order", 1],
  ["orter", "order", 1],
  ["cusotmres", "customers", 2],
  ["παραγγλεία", "παραγγελία", 1],
])("%s and %s differ by %i edits", (a, b, edits) => expect(countEdits(a, b, 3)).toBe(edits));

test("the number of edits is the same both ways, zero only for the same word, and at most the longer length", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const edits = countEdits(a, b, 9);
      expect(edits).toBe(countEdits(b, a, 9));
      expect(edits === 0).toBe(a === b);
      expect(edits).toBeLessThanOrEqual(Math.max(a.length, b.length));
    }),
  );
});

test.each([
  ["adress", ["address", "customeraddress"]],
  ["cusotmer", ["customer", "customeraddress"]],
  ["oder", ["order"]],
  ["cost", []],
  ["ab1", []],
  ["unrelated", []],
])("%s may mean %j", (word, expected) => {
  const words = new WordList(["address", "customer", "customeraddress", "order", "cust", "coast1"]);
  expect(
    findMisspelt(word, words)
      .map(({ meant }) => meant)
      .sort(),
  ).toEqual(expected);
});
