import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { digits, examplesOf } from "../scoring/examples-for-tests.ts";
import { anyText } from "../scoring/texts-for-tests.ts";
import { anls } from "./anls.ts";
import { editDistance } from "./edit-distance.ts";
import { levenshtein } from "./levenshtein.ts";

const metrics = [
  { name: "levenshtein", score: levenshtein },
  { name: "anls", score: anls },
];

describe.each(metrics)("$name", ({ name, score: metric }) => {
  test.each(examplesOf(name, { reference: z.string() }))("of an example: $title", ({ given, score }) => {
    expect(metric(given.answer, given.reference).score).toBeCloseTo(score, digits);
  });

  test("is from 0 to 1, and 1 for a text and itself", () => {
    fc.assert(
      fc.property(anyText, anyText, (answer, reference) => {
        const { score } = metric(answer, reference);
        expect(score >= 0 && score <= 1).toBe(true);
        if (answer.trim() !== "") expect(metric(answer, answer).score).toBe(1);
      }),
    );
  });
});

/** Computes the distance by its definition, cell by cell. */
function distanceByDefinition(first: readonly string[], second: readonly string[]): number {
  if (first.length === 0 || second.length === 0) return Math.max(first.length, second.length);
  const [a, b] = [first.slice(0, -1), second.slice(0, -1)];
  const replaced = distanceByDefinition(a, b) + (first.at(-1) === second.at(-1) ? 0 : 1);
  return Math.min(replaced, distanceByDefinition(a, second) + 1, distanceByDefinition(first, b) + 1);
}

test("the distance is that of the definition, and of every pair of characters the same in both directions", () => {
  const short = fc.array(fc.constantFrom("a", "b", "🙂", "é"), { maxLength: 6 });
  fc.assert(
    fc.property(short, short, (first, second) => {
      const expected = distanceByDefinition(first, second);
      expect(editDistance(first.join(""), second.join(""))).toBe(expected);
      expect(editDistance(second.join(""), first.join(""))).toBe(expected);
    }),
  );
});

test("two texts of 5,000 characters are compared, and texts of a million that are almost the same", () => {
  expect(editDistance("a".repeat(5000), "b".repeat(5000))).toBe(5000);
  expect(
    editDistance(`${"a".repeat(500_000)}x${"b".repeat(500_000)}`, `${"a".repeat(500_000)}${"b".repeat(500_000)}`),
  ).toBe(1);
});

test("a miss says how many characters differ", () => {
  expect(levenshtein("kitten", "sitting").reason).toBe("3 of 7 characters differ");
  expect(anls("blue", "desk").reason).toBe("4 of 4 characters differ, which is more than half");
});
