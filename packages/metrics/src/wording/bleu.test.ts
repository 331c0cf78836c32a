import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { digits, examplesOf } from "../scoring/examples-for-tests.ts";
import { anyText, sentence } from "../scoring/texts-for-tests.ts";
import { bleu } from "./bleu.ts";
import { bleuTokens } from "./bleu-tokens.ts";

test.each(examplesOf("bleu", { reference: z.string() }))("bleu of an example: $title", ({ given, score }) => {
  expect(bleu(given.answer, given.reference).score).toBeCloseTo(score, digits);
});

test("the reason has the shares of the n-grams", () => {
  expect(bleu("The cat sat on the mat", "The cat is on the mat").reason).toBe(
    "n-grams of 1 to 4 tokens in the reference: 5/6, 3/5, 1/4, 0/3; brevity penalty 1",
  );
  expect(bleu("blue", "red").reason).toBe("no word of the answer is in the reference");
});

test.each([
  ["It's 3.5, or 1,000.", ["It's", "3.5", ",", "or", "1,000", "."]],
  ["10-20 well-known", ["10", "-", "20", "well-known"]],
  ["a/b (c) 5%", ["a", "/", "b", "(", "c", ")", "5", "%"]],
  ["one-\ntwo\nthree\n", ["onetwo", "three"]],
  ["a hyphen-\n", ["a", "hyphen-"]], // white space at the end is removed first
  ["<skipped>A &quot;B&quot; &lt;", ["A", '"', "B", '"', "<"]],
  ["Zürich 🙂.", ["Zürich", "🙂", "."]],
  [" ", []],
])("%j has the tokens of mteval-v13a", (text, tokens) => {
  expect(bleuTokens(text)).toEqual(tokens);
});

test("a text with a token scores 1 against itself", () => {
  fc.assert(
    fc.property(sentence, (text) => {
      expect(bleu(text, text).score).toBeCloseTo(1, 12);
    }),
  );
});

test("the score of any two texts is from 0 to 1", () => {
  fc.assert(
    fc.property(anyText, anyText, (answer, reference) => {
      const { score } = bleu(answer, reference);
      expect(score >= 0 && score <= 1).toBe(true);
    }),
  );
});

const rows = z
  .strictObject({
    source: z.string(),
    several: z
      .array(z.strictObject({ answer: z.string(), references: z.array(z.string()).min(2), score: z.number() }))
      .min(12),
  })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, "nltk-bleu-rows.json"), "utf8")));

test.each(rows.several)(
  "BLEU of $answer against several references is that of NLTK",
  ({ answer, references, score }) => {
    expect(bleu(answer, references).score).toBeCloseTo(score, 12);
  },
);

test("of two lengths that are equally close, the shorter reference decides about the brevity penalty", () => {
  const reason = (...references: string[]) => bleu("a b c", references).reason ?? "";
  expect(reason("a b c d", "a b")).toContain("brevity penalty 1");
  expect(reason("a b c d")).toContain("brevity penalty 0.717"); // e ^ (1 - 4/3)
  expect(bleu("a b c", ["a b c"]).score).toBe(bleu("a b c", "a b c").score);
});
