import { ConfigError, canonicalJson, getErrorMessage, type InputPattern } from "@bridle/protocol";
import { runInTime } from "../async/run-in-time.ts";
import { readings, valuesAt } from "./input-readings.ts";

/**
 * How an input matches a pattern. `certain`: every value matches, however a tool reads the input. `possible`: a value matches in some
 * reading. A permission needs `certain`; for a denial or a question, `possible` is enough.
 */
export type InputMatch = "certain" | "possible" | "none";

/** An expression such as `^(a+)+$` can take years. A call is denied if its condition cannot be checked in this time. */
const conditionMs = 1000;

/**
 * Compiles a pattern. The returned function throws an Error if a condition takes more than a second.
 *
 * @throws ConfigError if an expression is invalid. `field` names the setting in the error.
 */
export function createInputMatcher(pattern: InputPattern = {}, field = "when"): (input: unknown) => InputMatch {
  const conditions = Object.entries(pattern).map(([path, source]) => compile(`${field}.${path}`, path, source));
  return (input) => {
    let match: InputMatch = "certain";
    for (const condition of conditions) {
      const found = condition(input);
      if (found === "none") return "none";
      if (found === "possible") match = "possible";
    }
    return match;
  };
}

function compile(setting: string, path: string, source: string): (input: unknown) => InputMatch {
  const expression = toExpression(setting, source);
  return (input) => {
    const checked = runInTime(() => matchAt(path, expression, input), conditionMs);
    if (checked !== undefined) return checked.value;
    throw new Error(`${setting} takes too long on this input. Write /${source}/ without nested repetition.`);
  };
}

function toExpression(setting: string, source: string): RegExp {
  try {
    return new RegExp(source, "i");
  } catch (cause) {
    throw new ConfigError(`${setting} is not a regular expression: ${getErrorMessage(cause)}. Correct it.`, {
      field: setting,
      cause,
    });
  }
}

function matchAt(path: string, expression: RegExp, input: unknown): InputMatch {
  const found = valuesAt(input, path);
  const fits = (value: unknown) => expression.test(typeof value === "string" ? value : canonicalJson(value));
  if (found.some(({ isExact }) => isExact) && found.every(({ value }) => fits(value))) return "certain";
  const isPossible = found.some(
    ({ value }) => fits(value) || readings(value).some((reading) => expression.test(reading)),
  );
  return isPossible ? "possible" : "none";
}
