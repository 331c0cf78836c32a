import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { examplesOf } from "../scoring/examples-for-tests.ts";
import { anyText } from "../scoring/texts-for-tests.ts";
import { exactMatch } from "./exact-match.ts";

test.each(examplesOf("exact_match", { reference: z.string() }))(
  "exact_match of an example: $title",
  ({ given, score }) => {
    expect(exactMatch(given.answer, given.reference).score).toBe(score);
  },
);

test("all ASCII punctuation is removed, and no other", () => {
  const signs = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
  for (const sign of signs) expect(exactMatch(`la${sign}mp`, "lamp").score, sign).toBe(1);
  expect(signs).toHaveLength(32);
  for (const sign of "…–’€0x") expect(exactMatch(`la${sign}mp`, "lamp").score, sign).toBe(0);
});

test("a miss shows the compared texts, shortened if they are long", () => {
  expect(exactMatch("The lamp.", "A desk").reason).toBe('compared as "lamp" and "desk"');
  expect(exactMatch("x".repeat(100), "desk").reason).toBe(`compared as "${"x".repeat(80)}…" and "desk"`);
});

test("a text matches itself, and answer and reference may be exchanged", () => {
  fc.assert(
    fc.property(anyText, anyText, (answer, reference) => {
      expect(exactMatch(answer, answer).score).toBe(1);
      expect(exactMatch(answer, reference).score).toBe(exactMatch(reference, answer).score);
    }),
  );
});
