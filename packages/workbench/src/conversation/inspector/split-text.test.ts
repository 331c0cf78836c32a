import fc from "fast-check";
import { expect, test } from "vitest";
import { splitText } from "./split-text.ts";

test("the pieces of a text are the text, none is longer than wanted, and none ends within an emoji", () => {
  const text = fc
    .array(fc.constantFrom("a", "\n", "🙂", "ß", "word "), { maxLength: 60 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 12 }), (whole, most) => {
      const pieces = splitText(whole, most);
      expect(pieces.join("")).toBe(whole);
      for (const piece of pieces) {
        expect(piece.length).toBeLessThanOrEqual(most);
        expect(piece.isWellFormed()).toBe(true);
      }
    }),
  );
});

test("a piece ends at a line end if that leaves it long enough", () => {
  expect(splitText("line one\nline two\nline three", 10)).toEqual(["line one\n", "line two\n", "line three"]);
  expect(splitText("a\nbcdefghijkl", 10)).toEqual(["a\nbcdefghi", "jkl"]);
});
