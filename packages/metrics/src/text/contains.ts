import { ConfigError, normalizeText } from "@bridle/protocol";
import { z } from "zod";
import { describeValue } from "../calls/describe-value.ts";
import { defineMetric } from "../scoring/define-metric.ts";
import { excerpt, shortenForLabel } from "../scoring/excerpt.ts";
import type { Score } from "../scoring/score.ts";
import { scoreAnswer } from "../scoring/score-answer.ts";

/**
 * Scores 1 if the answer contains the text, or every text of a list, else 0. Upper and lower case differ. Any white space counts as
 * one space, and letters with accents are compared in one form (NFC). Throws ConfigError for an empty text, because every answer
 * would pass.
 */
export function contains(answer: string, value: string | readonly string[]): Score {
  const wanted = typeof value === "string" ? [value] : value;
  if (wanted.length === 0 || wanted.some((text) => text.trim() === "")) {
    throw new ConfigError("value is empty, and every answer contains that. Write the expected text.", {
      field: "value",
    });
  }
  const given = comparable(answer);
  const missing = wanted.filter((each) => !given.includes(comparable(each)));
  if (missing.length === 0) return { score: 1 };
  return { score: 0, reason: missing.map((each) => missingReason(each, given)).join("; ") };
}

function missingReason(missing: string, given: string): string {
  const reason = `${excerpt(missing)} is not in the answer`;
  const differsInCase = given.toLowerCase().includes(comparable(missing).toLowerCase());
  return differsInCase ? `${reason} (it is with other upper and lower case)` : reason;
}

const comparable = (text: string) => normalizeText(text, "NFC").trim().replaceAll(/\s+/g, " ");

const textsFault = ({ input }: { readonly input: unknown }) =>
  `has to be a text or a list of texts, none of them empty${numberHint(input)}`;

const value = z
  .union([z.string(), z.array(z.string())], { error: textsFault })
  .refine((given) => given.length > 0 && [given].flat().every((text) => text.trim() !== ""), { error: textsFault })
  .describe("The text that the answer must contain, or a list of texts.");

function numberHint(input: unknown): string {
  const texts: readonly unknown[] = Array.isArray(input) ? input : [input];
  const hasNumber = texts.some((each) => typeof each === "number");
  return hasNumber ? ". Write numbers in quotation marks" : "";
}

export const containsMetric = defineMetric({
  name: "contains",
  type: "standard",
  kind: "text",
  settings: { value },
  remedies: { value: "Write the text that the answer has to contain, or a list of texts." },
  unit: null,
  passes: "at-least",
  defaultThreshold: 1,
  documentation: {
    summary: "whether the answer contains the expected texts",
    range: "0 or 1",
    needs: "`value`",
    cost: "none",
  },
  label: ({ value: wanted }) => `contains ${shortenForLabel(describeValue(wanted))}`,
  open({ value: wanted }) {
    const texts = typeof wanted === "string" ? [wanted] : wanted;
    return (facts) =>
      scoreAnswer(facts, contains(facts.answer, texts), texts.map((each) => describeValue(each)).join(", "));
  },
});
