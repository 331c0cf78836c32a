import fc from "fast-check";
import { expect, test } from "vitest";
import { normalizeText } from "./normalize-text.ts";

/** Combining marks of several classes: above, below, and the sound mark of Katakana. */
const marks = ["\u0301", "\u0323", "\u3099", "\uff9e", "\u0f71", "\u05b0"];
const forms = ["NFC", "NFD", "NFKC"] as const;

test.each(forms)("a megabyte of marks in the wrong order is normalised to %s", (form) => {
  const text = `a${"\u0301\u0323".repeat(250_000)}`;
  expect(normalizeText(text, form).replaceAll("\u034f", "").length).toBeGreaterThan(400_000);
  expect(normalizeText(`カ${"\uff9e\u0301\u0323".repeat(150_000)}`, form).length).toBeGreaterThan(400_000);
});

test.each(forms)("texts with at most 30 marks in a row are normalised to %s as usual", (form) => {
  const run = fc.tuple(
    fc.string({ unit: "binary", minLength: 1, maxLength: 5 }),
    fc.array(fc.constantFrom(...marks), { maxLength: 20 }),
  );
  fc.assert(
    fc.property(fc.array(run), (parts) => {
      const text = parts.map(([letters, after]) => `x${letters}x${after.join("")}`).join("");
      expect(normalizeText(text, form)).toBe(text.normalize(form));
    }),
  );
});
