import { expressionFault } from "@bridle/metrics";
import { isPlainObject } from "@bridle/protocol";

interface MatcherProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Finds the matchers, at any depth of the expected arguments, that would never or always match. */
export function matcherProblems(value: unknown, path: readonly PropertyKey[]): MatcherProblem[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => matcherProblems(each, [...path, index]));
  const fault = typeof value === "number" ? numberFault(value) : undefined;
  if (fault !== undefined) return [{ path, message: fault }];
  if (!isPlainObject(value)) return [];
  const [[key, given] = ["", undefined], ...others] = Object.entries(value);
  if (others.length === 0) {
    const message = textMatcherFault(key, given);
    if (message !== undefined) return [{ path: [...path, key], message }];
  }
  if (typeof value.number === "number" && typeof value.tolerance === "number" && value.tolerance < 0) {
    return [{ path: [...path, "tolerance"], message: "is below 0, so no number fits. Write 0 or more." }];
  }
  return Object.entries(value).flatMap(([name, each]) => matcherProblems(each, [...path, name]));
}

const textMatchers = ["fuzzy", "contains", "regex"];

/** Reports a matcher whose value is not a string. Bridle would compare it as a mapping, which no string equals. */
function textMatcherFault(key: string, given: unknown): string | undefined {
  if (!textMatchers.includes(key)) return undefined;
  if (typeof given === "number" || typeof given === "boolean" || given === null) {
    return `has to be a text. Write it in quotation marks, as in { ${key}: "${given}" }.`;
  }
  if (typeof given !== "string") return undefined;
  return key === "regex" ? expressionFault(given) : wordsFault(key, given);
}

function wordsFault(key: string, text: string): string | undefined {
  if (/[^\p{P}\p{Z}\p{C}]|[%#&@]/u.test(text)) return undefined;
  return `is only punctuation, which ${key} ignores, so it checks nothing. Write a word, or use regex.`;
}

/** Reports a number with more digits than JavaScript keeps, because other numbers would match too. */
function numberFault(value: number): string | undefined {
  if (Number.isSafeInteger(value) || !Number.isInteger(value) || Math.abs(value) >= 1e21) return undefined;
  return `has more digits than a number keeps, so other numbers fit too. Write it in quotation marks.`;
}
