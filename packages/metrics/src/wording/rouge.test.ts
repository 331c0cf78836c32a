import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { digits, examplesOf } from "../scoring/examples-for-tests.ts";
import { anyText, sentence } from "../scoring/texts-for-tests.ts";
import { rouge1, rouge2, rougeL } from "./rouge.ts";
import { rougeTokens } from "./rouge-tokens.ts";

const kinds = [
  { name: "rouge1", rouge: rouge1 },
  { name: "rouge2", rouge: rouge2 },
  { name: "rougeL", rouge: rougeL },
];

describe.each(kinds)("$name", ({ name, rouge }) => {
  const settings = { reference: z.string(), stemming: z.boolean().exactOptional() };

  test.each(examplesOf(name, settings))(
    "of an example: $title",
    ({ given: { answer, reference, ...given }, score }) => {
      expect(rouge(answer, reference, given).score).toBeCloseTo(score, digits);
    },
  );

  test("is from 0 to 1, and the same with answer and reference exchanged", () => {
    fc.assert(
      fc.property(anyText, anyText, fc.boolean(), (answer, reference, stemming) => {
        const { score } = rouge(answer, reference, { stemming });
        expect(score >= 0 && score <= 1).toBe(true);
        expect(rouge(reference, answer, { stemming }).score).toBe(score);
      }),
    );
  });

  test("is 1 for two words or more against themselves", () => {
    fc.assert(
      fc.property(sentence, fc.boolean(), (text, stemming) => {
        expect(rouge(`${text} desk`, `${text} desk`, { stemming }).score).toBe(1);
      }),
    );
  });
});

test("the order of words counts for rougeL alone: it is never over rouge1", () => {
  fc.assert(
    fc.property(sentence, sentence, (answer, reference) => {
      expect(rougeL(answer, reference).score).toBeLessThanOrEqual(rouge1(answer, reference).score);
    }),
  );
});

test("a score is explained by precision and recall", () => {
  expect(rougeL("It ships in 30 days", "30 days").reason).toBe("precision 2/5, recall 2/2");
});

test.each([
  ["one\n Two \nthree", ["one", "two", "three"]], // from rouge_score's tokenize_test.py
  ["It's A-1001, snake_case!", ["it", "s", "a", "1001", "snake", "case"]],
  ["Η γάτα", ["η", "γάτα"]],
  ["हिन्दी", ["हिन्दी"]],
])("the words of %j are runs of letters and digits", (text, words) => {
  expect(rougeTokens(text)).toEqual(words);
});

test("the words of a text in ASCII are those of rouge_score", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
      expect(rougeTokens(text)).toEqual(text.toLowerCase().match(/[a-z0-9]+/g) ?? []);
    }),
  );
});

test("two thousand words are compared quickly", () => {
  const text = Array.from({ length: 2000 }, (_, index) => `word${index % 97}`).join(" ");
  const before = performance.now();
  expect(rougeL(text, text).score).toBe(1);
  expect(performance.now() - before).toBeLessThan(2000);
});
