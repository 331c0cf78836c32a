import { ConfigError } from "@bridle/protocol";
import { z } from "zod";
import { defineMetric } from "../scoring/define-metric.ts";
import { excerpt, shortenForLabel } from "../scoring/excerpt.ts";
import { answerExpressionFault } from "../scoring/expression-fault.ts";
import { findExpression } from "../scoring/find-expression.ts";
import type { Score } from "../scoring/score.ts";
import { scoreAnswer } from "../scoring/score-answer.ts";

const field = "value";

/**
 * Scores 1 if the answer matches a JavaScript regular expression anywhere, else 0. `^` and `$` match at the ends of the answer. A flag is
 * written around a part, as in `(?i:shipped)`. Throws ConfigError for an expression that is empty or not valid, and for a search
 * that takes more than a second.
 */
export function regex(answer: string, value: string): Score {
  if (value === "") {
    throw new ConfigError("value is empty, and matches every answer. Write an expression.", { field });
  }
  if (matches(value, answer)) return { score: 1 };
  return { score: 0, reason: `/${value}/ does not match ${excerpt(answer)}` };
}

function matches(source: string, text: string): boolean {
  try {
    return findExpression(source, text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const isInvalid = cause instanceof SyntaxError;
    const remedy = "Correct it; flags go around a part, as in (?i:shipped).";
    throw new ConfigError(isInvalid ? `value is not valid: ${reason}. ${remedy}` : `value: ${reason}`, {
      field,
      cause,
    });
  }
}

const value = z
  .string({ error: "has to be a regular expression, as a text" })
  .check(({ value: source, issues }) => {
    const message = answerExpressionFault(source);
    if (message !== undefined) issues.push({ code: "custom", input: source, message });
  })
  .describe("The regular expression that the answer must match.");

export const regexMetric = defineMetric({
  name: "regex",
  type: "standard",
  kind: "text",
  settings: { value },
  remedies: { value: "Write the regular expression that the answer has to match." },
  unit: null,
  passes: "at-least",
  defaultThreshold: 1,
  documentation: {
    summary: "whether the answer matches a regular expression",
    range: "0 or 1",
    needs: "`value`",
    cost: "none",
  },
  label: ({ value: source }) => `regex ${shortenForLabel(`/${source}/`)}`,
  open:
    ({ value: source }) =>
    (facts) =>
      scoreAnswer(facts, regex(facts.answer, source), `/${source}/`),
});
