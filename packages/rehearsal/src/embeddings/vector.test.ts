import fc from "fast-check";
import { expect, test } from "vitest";
import { toVector } from "./vector.ts";

test("every text has a vector of unit length, always the same", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 40 }), (text, dimensions) => {
      const vector = toVector(text, dimensions);
      expect(vector).toHaveLength(dimensions);
      expect(Math.hypot(...vector)).toBeCloseTo(1);
      expect(toVector(text, dimensions)).toEqual(vector);
    }),
  );
});

test("texts that share words are nearer to each other than texts that share none", () => {
  const similarity = (a: string, b: string) => {
    const other = toVector(b, 256);
    return toVector(a, 256).reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
  };
  const question = "When was my walnut desk shipped?";
  expect(similarity(question, "The walnut desk was shipped on Tuesday.")).toBeGreaterThan(
    similarity(question, "Our lamps have a guarantee of three years."),
  );
  expect(similarity("a b", "b a")).toBeLessThan(1);
});
