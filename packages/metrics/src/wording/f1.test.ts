import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { digits, examplesOf } from "../scoring/examples-for-tests.ts";
import { anyText } from "../scoring/texts-for-tests.ts";
import { exactMatch } from "../text/exact-match.ts";
import { squadTokens } from "../text/squad-tokens.ts";
import { f1 } from "./f1.ts";

test.each(examplesOf("f1", { reference: z.string() }))("f1 of an example: $title", ({ given, score }) => {
  expect(f1(given.answer, given.reference).score).toBeCloseTo(score, digits);
});

test("a score is explained by precision and recall", () => {
  expect(f1("It ships in 30 days.", "30 days").reason).toBe("precision 2/5, recall 2/2");
  expect(f1("", "the").reason).toBe("both have no tokens");
});

test("a text scores 1 against itself, and answer and reference may be exchanged", () => {
  fc.assert(
    fc.property(anyText, anyText, (answer, reference) => {
      expect(f1(answer, answer).score).toBe(1);
      const { score } = f1(answer, reference);
      expect(score >= 0 && score <= 1).toBe(true);
      expect(f1(reference, answer).score).toBe(score);
    }),
  );
});

test("an exact match has f1 of 1", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const other = `The ${text.toLowerCase()}!`;
      expect(f1(text, other).score).toBeGreaterThanOrEqual(exactMatch(text, other).score);
    }),
  );
});

test("an article is a separate word in every script", () => {
  expect(squadTokens("The día, an ándale, a_b: naïve-a")).toEqual(["día", "ándale", "ab", "naïvea"]);
  expect(squadTokens("desk—a—lamp")).toEqual(["desk—", "—lamp"]);
});
