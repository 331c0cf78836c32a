import fc from "fast-check";
import { expect, test } from "vitest";
import { toPieces } from "./pieces.ts";

test("the pieces of a text join to the text, however long it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 300 }), (text, repeats) => {
      const long = text.repeat(repeats);
      expect(toPieces(long).join("")).toBe(long);
    }),
  );
});

test("a long text has at most five hundred pieces", () => {
  expect(toPieces("ab ".repeat(1_000_000)).length).toBeLessThanOrEqual(500);
});
