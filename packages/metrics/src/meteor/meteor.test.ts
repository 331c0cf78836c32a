import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { digits, examplesOf } from "../scoring/examples-for-tests.ts";
import { anyText, sentence } from "../scoring/texts-for-tests.ts";
import { meteor } from "./meteor.ts";
import { meteorTokens } from "./meteor-tokens.ts";

test.each(examplesOf("meteor", { reference: z.string() }))("meteor of an example: $title", ({ given, score }) => {
  expect(meteor(given.answer, given.reference).score).toBeCloseTo(score, digits);
});

// Scores of NLTK 3.8 with the files of WordNet 3.1 and the exception lists of WordNet 3.0.
test.each([
  ["help follow earth inch", "earth help stick adopt in", 0.40816326530612246],
  ["say the thing that was said", "tell the thing that was told", 0.8066666666666668],
  ["they build many homes", "they make a lot of houses", 0.32327586206896547],
  ["dogs chase cats", "a cat chased the dog", 0.3125],
  ["buy new auto parts", "purchased parts of the newest car", 0.17241379310344826],
])("%j against %j scores as in NLTK", (answer, reference, score) => {
  expect(meteor(answer, reference).score).toBeCloseTo(score, 12);
});

test("the reason counts the matches of each stage", () => {
  expect(meteor("The old cars broke down", "The old auto broke")).toMatchObject({
    reason:
      "4 matches (3 exact, 0 by stem, 1 by synonym) of the 5 tokens of the answer and the 4 of the reference; chunks: 1",
  });
  expect(meteor("blue", "").reason).toBe("no word of the answer is in the reference");
});

test("synonyms are looked up only if both texts have words left", () => {
  const noSynonyms = () => {
    throw new Error("not needed");
  };
  expect(meteor("a cat sat here", "here cats sat", noSynonyms).score).toBeGreaterThan(0);
  expect(meteor("cats sat", "a cat sat here", noSynonyms).score).toBeGreaterThan(0);
  expect(() => meteor("blue", "red", noSynonyms)).toThrow("not needed");
});

test("the last of several partners is taken, from the end of the answer", () => {
  // big(1) takes large(2), big(0) takes large(0): the same order, with a gap.
  const synonyms = (word: string) => new Set(word === "big" ? ["x", "y"] : []);
  expect(meteor("big big", "x red y", synonyms).score).toBeCloseTo((2 / 3 / (0.9 + 0.1 * (2 / 3))) * 0.5, 12);
  // big(0) takes y(2) and not x(0), behind red: two chunks.
  expect(meteor("big red", "x red y", synonyms).score).toBeCloseTo((2 / 3 / (0.9 + 0.1 * (2 / 3))) * 0.5, 12);
});

test.each([
  ["It's $3.50, well-known (2026-11-22) at 9:30.", "it 's $ 3.50 , well-known ( 2026-11-22 ) at 9:30 ."],
  ["ΑΘΗΝΑ! Ångström…", "αθηνα ! ångström…"],
  ["cafe\u0301", "caf\u00e9"],
  ["He cannot come -- not to St. Louis. Why?", "he can not come -- not to st. louis . why ?"],
  ["I don't, she'll, they've", "i do n't , she 'll , they 've"],
  [" \n", ""],
])("the tokens of %j are %j", (text, tokens) => {
  expect(meteorTokens(text).join(" ")).toBe(tokens);
});

test("a text of n tokens scores 1 - 0.5 / n³ against itself", () => {
  fc.assert(
    fc.property(sentence, (text) => {
      expect(meteor(text, text, none).score).toBeGreaterThanOrEqual(0.5);
    }),
  );
  const text = "The desk ships on Monday, and the lamp later";
  expect(meteor(text, text).score).toBeCloseTo(1 - 0.5 / 10 ** 3, 12);
});

test("the score of any two texts is from 0 to 1", () => {
  fc.assert(
    fc.property(anyText, anyText, (answer, reference) => {
      const { score } = meteor(answer, reference);
      expect(score >= 0 && score <= 1).toBe(true);
    }),
  );
});

test("long texts without a common word are compared quickly", () => {
  const words = (letter: string) => Array.from({ length: 5000 }, (_, at) => `${letter}${at}`).join(" ");
  expect(meteor(words("h"), words("r")).score).toBe(0);
}, 5000);

test("a text of 150,000 words is compared with itself", () => {
  const text = "The lamp ships ".repeat(50_000);
  expect(meteor(text, text, none).score).toBeCloseTo(1, 6);
}, 20_000);

const none = () => new Set<string>();
