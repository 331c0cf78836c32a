import fc from "fast-check";
import { expect, test } from "vitest";
import { divideSentences, sentencesOf } from "./sentences.ts";
import { anyText } from "./texts-for-tests.ts";

test.each([
  "Dr. Smith went to St. Louis.",
  "Mr. and Mrs. Jones met Prof. Lee in Washington D.C. City Hall.",
  "J. K. Rowling wrote it with Martin L. King Jr. Library staff.",
  "See Fig. 3 and No. 5 on p. 12 of vol. 2.",
  "The U.S. Army bought it from Acme Inc. Boston.",
  "Lamps vs. Desks, e.g. Walnut or i.e. Oak.",
  "It costs 3.50 dollars at 10.30 a.m. on weekdays.",
  "Gen. Lee and Lt. Col. Brown live near Mt. Hood.",
  "Er fragt, z. B. Lampen.",
])("%j is one sentence", (text) => {
  expect(sentencesOf(text)).toEqual([text]);
});

test.each([
  ["Dr. Smith left. He went home.", ["Dr. Smith left.", "He went home."]],
  ["The shop is on Main St. The lamp is there.", ["The shop is on Main St.", "The lamp is there."]],
  ["We ship to the U.S. It takes a week.", ["We ship to the U.S.", "It takes a week."]],
  ["Take plan B. Then wait.", ["Take plan B.", "Then wait."]],
  ["Is it open? No. Please wait.", ["Is it open?", "No.", "Please wait."]],
  ["I like art. Lamps too.", ["I like art.", "Lamps too."]],
  ["Desks, lamps, etc. Chairs are sold out.", ["Desks, lamps, etc.", "Chairs are sold out."]],
  ["Call Dr.\nSmith is ill.", ["Call Dr.", "Smith is ill."]],
  ["Wait! Really? Yes.", ["Wait!", "Really?", "Yes."]],
  ["一つ目です。二つ目です。", ["一つ目です。", "二つ目です。"]],
  ["The film. Stars shine.", ["The film.", "Stars shine."]], // no abbreviation ends a longer word
])("%j has the sentences %j", (text, sentences) => {
  expect(sentencesOf(text)).toEqual(sentences);
});

test("nothing of a text is lost between its sentences", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(divideSentences(text).join("")).toBe(text);
    }),
  );
});

test("a text of 100,000 abbreviations is divided", () => {
  expect(divideSentences("Dr. ".repeat(100_000))).toHaveLength(1);
  expect(divideSentences("He met Dr. Lee. ".repeat(20_000))).toHaveLength(20_000);
});
