import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { digits, examplesOf } from "../scoring/examples-for-tests.ts";
import { anyText, sentence } from "../scoring/texts-for-tests.ts";
import { jaccard } from "./jaccard.ts";

test.each(examplesOf("jaccard", { reference: z.string() }))("jaccard of an example: $title", ({ given, score }) => {
  expect(jaccard(given.answer, given.reference).score).toBeCloseTo(score, digits);
});

test("the order of answer and reference does not matter, and a text with a word scores 1 against itself", () => {
  fc.assert(
    fc.property(anyText, anyText, sentence, (answer, reference, words) => {
      const { score } = jaccard(answer, reference);
      expect(score >= 0 && score <= 1).toBe(true);
      expect(jaccard(reference, answer).score).toBe(score);
      expect(jaccard(words, words).score).toBe(1);
    }),
  );
});

test("a score is explained by the number of words", () => {
  expect(jaccard("the cat sat", "the dog sat").reason).toBe("2 of 4 different words are in both");
});
