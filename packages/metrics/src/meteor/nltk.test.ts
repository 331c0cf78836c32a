/** Compares tokens and scores with those of NLTK. `nltk-rows.json` describes how they were made. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { divideSentences } from "../scoring/sentences.ts";
import { meteor } from "./meteor.ts";
import { meteorTokens } from "./meteor-tokens.ts";
import { createSynonyms, findWordnet } from "./wordnet.ts";

const score = z.number();
const rows = z
  .strictObject({
    source: z.string(),
    tokens: z.array(z.strictObject({ text: z.string(), tokens: z.array(z.string()) })).min(100),
    pairs: z.array(z.strictObject({ answer: z.string(), reference: z.string(), score })).min(100),
    several: z.array(z.strictObject({ answer: z.string(), references: z.array(z.string()), score })).min(10),
  })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, "nltk-rows.json"), "utf8")));

/** NLTK divides texts into sentences with a trained model, so only one-sentence texts can be compared. */
const single = rows.tokens.filter(({ text }) => divideSentences(text).length === 1);

test.each(single)("the tokens of $text are those of NLTK", ({ text, tokens }) => {
  expect(meteorTokens(text)).toEqual(tokens);
});

test("most rows are single sentences", () => {
  expect(single.length).toBeGreaterThan(60);
});

test.each(rows.pairs)(
  "METEOR of $answer against $reference is that of NLTK",
  ({ answer, reference, score: wanted }) => {
    expect(meteor(answer, reference).score).toBeCloseTo(wanted, 12);
  },
);

test.each(rows.several)("METEOR of $answer against the best of $references is that of NLTK", (row) => {
  const scores = row.references.map((reference) => meteor(row.answer, reference).score);
  expect(Math.max(...scores)).toBeCloseTo(row.score, 12);
});

describe("irregular forms", () => {
  const synonyms = createSynonyms(findWordnet([import.meta.url]));

  test.each([
    ["made", "make"],
    ["mice", "mouse"],
    ["children", "child"],
    ["went", "go"],
    ["bigger", "big"],
    ["easier", "easy"],
    ["better", "good"],
    ["teeth", "tooth"],
    ["eerier", "eerie"],
  ])("%s has the synonyms of %s", (form, base) => {
    expect([...synonyms(form)]).toContain(base);
  });

  test.each(["pier", "croupier", "flier", "lamp"])("%s has no base form that it is not", (word) => {
    expect(["py", "croupy", "fly", "lam"].filter((base) => synonyms(word).has(base))).toEqual([]);
  });
});

test("a row of 200,000 spaces, points or quotation marks is divided into tokens", () => {
  for (const part of [" ", ".", "'", '"', ". ", "a. ", ".)"]) meteorTokens(`a.${part.repeat(200_000)}b`);
});
