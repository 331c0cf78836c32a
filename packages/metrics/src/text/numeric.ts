import { ConfigError } from "@bridle/protocol";
import { isNear } from "../calls/matchers.ts";
import { excerpt } from "./excerpt.ts";
import { numbersIn } from "./numbers-in.ts";
import type { Score } from "./score.ts";

export interface NumericSettings {
  /** How far off a number may be, in its own unit. Default: 0. */
  readonly tolerance?: number;
}

/**
 * 1 where one of the numbers in the answer is the expected one, as near as `tolerance`, else 0. numbersIn says what is read
 * as a number. A text that is expected has to hold exactly one; throws ConfigError where it does not.
 */
export function numeric(answer: string, expected: number | string, { tolerance = 0 }: NumericSettings = {}): Score {
  const wanted = typeof expected === "number" ? expected : theNumberIn(expected);
  const found = numbersIn(answer);
  if (found.some((each) => isNear(each, wanted, tolerance))) return { score: 1 };
  if (found.length === 0) return { score: 0, reason: "there is no number in the answer" };
  const within = tolerance === 0 ? "" : `, nor as near to it as ${tolerance}`;
  return { score: 0, reason: `${listed(found)} in the answer: not ${wanted}${within}` };
}

function theNumberIn(text: string): number {
  const [first, ...more] = numbersIn(text);
  if (first !== undefined && more.length === 0) return first;
  const count = first === undefined ? "no number" : `${more.length + 1} numbers`;
  throw new ConfigError(`${excerpt(text)}, which is expected, holds ${count}. Write one number as value.`, {
    field: "value",
  });
}

function listed(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 10).join(", ");
  return numbers.length > 10 ? `${shown} and ${numbers.length - 10} more` : shown;
}
