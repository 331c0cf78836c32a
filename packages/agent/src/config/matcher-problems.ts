import { expressionFault } from "@bridle/metrics";
import { isPlainObject } from "@bridle/protocol";

interface MatcherProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The matchers, at any depth of the expected arguments, that could never fit or would always fit. */
export function matcherProblems(value: unknown, path: readonly PropertyKey[]): MatcherProblem[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => matcherProblems(each, [...path, index]));
  if (!isPlainObject(value)) return [];
  const [[key, given] = ["", undefined], ...others] = Object.entries(value);
  if (others.length === 0 && typeof given === "string") {
    const message = key === "regex" ? expressionFault(given) : key === "fuzzy" ? fuzzyFault(given) : undefined;
    return message === undefined ? [] : [{ path: [...path, key], message }];
  }
  if (typeof value.number === "number" && typeof value.tolerance === "number" && value.tolerance < 0) {
    return [{ path: [...path, "tolerance"], message: "is below 0, so no number fits. Write 0 or more." }];
  }
  return Object.entries(value).flatMap(([name, each]) => matcherProblems(each, [...path, name]));
}

function fuzzyFault(text: string): string | undefined {
  if (/[^\p{P}\p{Z}\p{C}]/u.test(text)) return undefined;
  return "is only punctuation, which fuzzy ignores, so every text fits. Write a word, or use regex.";
}
