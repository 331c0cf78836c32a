import type { JsonValue } from "@bridle/protocol";
import { z } from "zod";
import { describeValue } from "../calls/describe-value.ts";
import { defineMetric } from "../scoring/define-metric.ts";
import { excerpt, shortenForLabel } from "../scoring/excerpt.ts";
import type { Score } from "../scoring/score.ts";
import { bestOf, expectedValues, scoreAnswer } from "../scoring/score-answer.ts";
import { findDifference } from "./difference.ts";
import { parseJson } from "./structured-answer.ts";

/** Differences between two texts that do not count. */
interface IgnoredParts {
  readonly case?: boolean | undefined;
  /** Counts any run of spaces and line breaks as one space. */
  readonly whiteSpace?: boolean | undefined;
  /** Ignores ASCII punctuation. */
  readonly punctuation?: boolean | undefined;
}

/**
 * Scores 1 if the answer equals the expected value, else 0. White space at both ends of a text does not count. Other
 * values, and a text that is a JSON object or list, are compared with the answer as JSON: keys in any order, lists in
 * order, values of the same type (`true` is not `1`, `"1"` is not `1`), nothing more and nothing less.
 */
export function equality(answer: string, expected: JsonValue, ignored: IgnoredParts = {}): Score {
  const wanted = typeof expected === "string" ? parseStructure(expected) : { value: expected };
  if (wanted === undefined) return compareTexts(withoutParts(answer, ignored), withoutParts(String(expected), ignored));
  const given = parseJson(answer);
  if (given === undefined) return { score: 0, reason: `the answer is not JSON: ${excerpt(answer)}` };
  const reason = findDifference(wanted.value, given.value);
  return reason === undefined ? { score: 1 } : { score: 0, reason };
}

function compareTexts(given: string, wanted: string): Score {
  return given === wanted ? { score: 1 } : { score: 0, reason: `${excerpt(given)} instead of ${excerpt(wanted)}` };
}

function withoutParts(text: string, ignored: IgnoredParts): string {
  const lower = ignored.case ? text.toLowerCase() : text;
  const words = ignored.punctuation ? lower.replaceAll(/[!-/:-@[-`{-~]/g, "") : lower;
  return (ignored.whiteSpace ? words.replaceAll(/\s+/g, " ") : words).trim();
}

function parseStructure(text: string): { readonly value: unknown } | undefined {
  const json = parseJson(text);
  return typeof json?.value === "object" && json.value !== null ? json : undefined;
}

const ignoring = (what: string) =>
  z.boolean().exactOptional().describe(`Whether ${what} in texts. JSON is compared unchanged. Default: false.`);

export const equalityMetric = defineMetric({
  name: "equality",
  type: "standard",
  kind: "structure",
  settings: {
    value: z.json().exactOptional().describe("The value that the answer must equal. Default: the ground truth."),
    case_insensitive: ignoring("letter case is ignored"),
    strip_whitespace: ignoring("line breaks and runs of spaces count as one space"),
    strip_punctuation: ignoring("ASCII punctuation is ignored"),
  },
  unit: null,
  passes: "at-least",
  defaultThreshold: 1,
  documentation: {
    summary: "whether the answer equals a value",
    range: "0 or 1",
    needs: "`value` or `ground_truth`",
    cost: "none",
  },
  label: ({ value }) => (value === undefined ? "equality" : `equality ${shortenForLabel(describeValue(value))}`),
  open: ({ value, case_insensitive, strip_whitespace, strip_punctuation }) => {
    const ignored = { case: case_insensitive, whiteSpace: strip_whitespace, punctuation: strip_punctuation };
    return (facts) =>
      bestOf(
        expectedValues(value, facts).map((expected) =>
          scoreAnswer(facts, equality(facts.answer, expected, ignored), describeValue(expected)),
        ),
      );
  },
});
