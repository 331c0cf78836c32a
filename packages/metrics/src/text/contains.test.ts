import { ConfigError } from "@bridle/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { examplesOf } from "../scoring/examples-for-tests.ts";
import { anyText } from "../scoring/texts-for-tests.ts";
import { contains } from "./contains.ts";

const value = z.union([z.string(), z.array(z.string())]);

test.each(examplesOf("contains", { value }))("contains of an example: $title", ({ given, score }) => {
  expect(contains(given.answer, given.value).score).toBe(score);
});

test("a miss names the missing texts and says if only the case differs", () => {
  expect(contains("Shipped.", ["A-1001", "shipped"]).reason).toBe(
    '"A-1001" is not in the answer; "shipped" is not in the answer (it is with other upper and lower case)',
  );
});

test.each([[""], [" \n"], [[]], [["shipped", ""]]])("%j is refused: every answer contains it", (nothing) => {
  expect(() => contains("It has shipped.", nothing)).toThrow(ConfigError);
});

test("a text between two other texts is found", () => {
  fc.assert(
    fc.property(anyText, anyText, (before, after) => {
      expect(contains(`${before} A-1001 ${after}`, "A-1001").score).toBe(1);
    }),
  );
});
