import { ConfigError } from "@bridle/protocol";
import { z } from "zod";
import { isNear } from "../calls/matchers.ts";
import { defineMetric } from "../scoring/define-metric.ts";
import { excerpt } from "../scoring/excerpt.ts";
import type { Score } from "../scoring/score.ts";
import { bestOf, expectedValues, scoreAnswer } from "../scoring/score-answer.ts";
import { numbersIn } from "./numbers-in.ts";

export interface NumericSettings {
  /** The largest difference that passes, in the number's own unit. Default: 0. */
  readonly tolerance?: number | undefined;
}

/**
 * 1 if one of the numbers in the answer is the expected one within `tolerance`, else 0. {@link numbersIn} says which parts of
 * a text are numbers. An expected text has to contain exactly one number; otherwise ConfigError is thrown.
 */
export function numeric(answer: string, expected: number | string, { tolerance = 0 }: NumericSettings = {}): Score {
  const wanted = typeof expected === "number" ? expected : onlyNumberIn(expected);
  const found = numbersIn(answer);
  if (found.some((each) => isNear(each, wanted, tolerance))) return { score: 1 };
  if (found.length === 0) return { score: 0, reason: "the answer contains no number" };
  return {
    score: 0,
    reason: `the answer contains ${formatNumbers(found)}, and not ${withTolerance(wanted, tolerance)}`,
  };
}

function onlyNumberIn(text: string): number {
  const [first, ...more] = numbersIn(text);
  if (first !== undefined && more.length === 0) return first;
  const count = first === undefined ? "no number" : `${more.length + 1} numbers`;
  throw new ConfigError(`The expected text ${excerpt(text)} contains ${count}. Write one number as value.`, {
    field: "value",
  });
}

function formatNumbers(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 10).join(", ");
  return numbers.length > 10 ? `${shown} and ${numbers.length - 10} more` : shown;
}

const withTolerance = (expected: number | string, tolerance: number) =>
  tolerance === 0 ? String(expected) : `${expected} ± ${tolerance}`;

export const numericMetric = defineMetric({
  name: "numeric",
  type: "standard",
  kind: "text",
  settings: {
    value: z
      .number({ error: "has to be a number" })
      .exactOptional()
      .describe("The number that the answer has to contain. Default: the ground truth."),
    tolerance: z.number().min(0).exactOptional().describe("The largest difference that passes. Default: 0."),
  },
  unsupported: {
    absolute_tolerance: "its name is tolerance here.",
    relative_tolerance: "write tolerance, in the number's own unit.",
    accept_percent: "12 % is read as 12. Write the number without the sign, and remove this.",
    accept_thousands_separators: "they are always read. Remove it.",
  },
  unit: null,
  passes: "at-least",
  defaultThreshold: 1,
  documentation: {
    summary: "whether the answer contains a number",
    range: "0 or 1",
    needs: "`value` or `ground_truth`",
    cost: "none",
  },
  label: ({ value, tolerance = 0 }) =>
    ["numeric", ...(value === undefined ? [] : [String(value)]), ...(tolerance === 0 ? [] : [`± ${tolerance}`])].join(
      " ",
    ),
  open:
    ({ value, tolerance = 0 }) =>
    (facts) =>
      bestOf(
        expectedValues(value, facts).map((found) => {
          const expected = typeof found === "number" ? found : String(found);
          return scoreAnswer(facts, numeric(facts.answer, expected, { tolerance }), withTolerance(expected, tolerance));
        }),
      ),
});
