import { ConfigError } from "@bridle/protocol";
import { z } from "zod";
import { isNear } from "../calls/matchers.ts";
import { defineMetric } from "../scoring/define-metric.ts";
import { excerpt } from "../scoring/excerpt.ts";
import type { Score } from "../scoring/score.ts";
import { bestOf, expectedValues, scoreAnswer } from "../scoring/score-answer.ts";
import { readNumbers } from "../values/numbers-in.ts";

export interface NumericSettings {
  /** The largest difference that passes, in the number's own unit. Default: 0. */
  readonly tolerance?: number | undefined;
  /** The largest difference that passes, as a share of the expected number. Default: 0. */
  readonly relativeTolerance?: number | undefined;
  /** Whether `12 %` is 0.12, in the answer and in the expected text. By default, `12 %` is 12. */
  readonly acceptsPercent?: boolean | undefined;
}

/**
 * Scores 1 if one of the numbers in the answer equals the expected number within one of the tolerances, else 0. {@link readNumbers} defines
 * which parts of a text are numbers. Throws ConfigError unless an expected text contains exactly one number.
 */
export function numeric(answer: string, expected: number | string, settings: NumericSettings = {}): Score {
  const { tolerance = 0, relativeTolerance = 0 } = settings;
  const wanted = typeof expected === "number" ? expected : onlyNumberIn(expected, settings);
  const found = valuesIn(answer, settings);
  const largest = Math.max(tolerance, relativeTolerance * Math.abs(wanted));
  if (found.some((each) => isNear(each, wanted, largest))) return { score: 1 };
  if (found.length === 0) return { score: 0, reason: "the answer contains no number" };
  return {
    score: 0,
    reason: `the answer contains ${formatNumbers(found)}, and not ${withTolerance(wanted, settings)}`,
  };
}

function valuesIn(text: string, { acceptsPercent }: NumericSettings): number[] {
  return readNumbers(text).map(({ value, isPercent }) => (isPercent && acceptsPercent ? value / 100 : value));
}

function onlyNumberIn(text: string, settings: NumericSettings): number {
  const [first, ...more] = valuesIn(text, settings);
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

function withTolerance(expected: number | string, { tolerance = 0, relativeTolerance = 0 }: NumericSettings): string {
  const tolerances = [
    ...(tolerance === 0 ? [] : [`± ${tolerance}`]),
    ...(relativeTolerance === 0 ? [] : [`± ${Number((relativeTolerance * 100).toPrecision(12))} %`]),
  ];
  return tolerances.length === 0 ? String(expected) : `${expected} ${tolerances.join(" or ")}`;
}

const toleranceOf = (text: string) => z.number().min(0).exactOptional().describe(text);

const settings = {
  value: z
    .number({ error: "has to be a number" })
    .exactOptional()
    .describe("The number that the answer must contain. Default: the ground truth."),
  tolerance: toleranceOf("The largest difference that passes. Default: 0."),
  absolute_tolerance: toleranceOf("Another name for tolerance. If both are set, the larger one counts."),
  relative_tolerance: toleranceOf(
    "The largest difference that passes, as a share of the expected number, such as 0.01. Default: 0.",
  ),
  accept_percent: z
    .boolean()
    .exactOptional()
    .describe("Whether 12 % means 0.12 instead of 12, in the answer and in the ground truth. Default: false."),
  accept_thousands_separators: z
    .literal(true, { error: "can only be true: they are always read. Remove it" })
    .exactOptional()
    .describe("Can only be true: thousands separators are always accepted."),
};

function toSettings(given: z.output<z.ZodObject<typeof settings>>): NumericSettings {
  const { tolerance = 0, absolute_tolerance: absolute = 0, relative_tolerance, accept_percent } = given;
  return {
    tolerance: Math.max(tolerance, absolute),
    relativeTolerance: relative_tolerance,
    acceptsPercent: accept_percent,
  };
}

export const numericMetric = defineMetric({
  name: "numeric",
  type: "standard",
  kind: "text",
  settings,
  unit: null,
  passes: "at-least",
  defaultThreshold: 1,
  documentation: {
    summary: "whether the answer contains the expected number",
    range: "0 or 1",
    needs: "`value` or `ground_truth`",
    cost: "none",
  },
  label: ({ value, ...given }) =>
    withTolerance(value === undefined ? "numeric" : `numeric ${value}`, toSettings(given)),
  groundTruthFault(truth, { value }) {
    const count = readNumbers(truth).length;
    if (value !== undefined || count === 1) return undefined;
    return `needs one number, and there ${count === 0 ? "is none" : `are ${count}`}. Write one number, or set its value.`;
  },
  open: ({ value, ...given }) => {
    const own = toSettings(given);
    return (facts) =>
      bestOf(
        expectedValues(value, facts).map((found) => {
          const expected = typeof found === "number" ? found : String(found);
          return scoreAnswer(facts, numeric(facts.answer, expected, own), withTolerance(expected, own));
        }),
      );
  },
});
