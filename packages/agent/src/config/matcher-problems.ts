import { isPlainObject } from "@bridle/protocol";

/** A text that nobody looks for. */
const unlikely = "\u{10FFFE}";

interface MatcherProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** What in matchers, at any depth of what is expected of a call, could never be found, or would always be. */
export function matcherProblems(value: unknown, path: readonly PropertyKey[]): MatcherProblem[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => matcherProblems(each, [...path, index]));
  if (!isPlainObject(value)) return [];
  const [[key, given] = ["", undefined], ...others] = Object.entries(value);
  if (others.length === 0 && typeof given === "string") {
    const message = key === "regex" ? expressionFault(given) : key === "fuzzy" ? fuzzyFault(given) : undefined;
    return message === undefined ? [] : [{ path: [...path, key], message }];
  }
  if (typeof value.number === "number" && typeof value.tolerance === "number" && value.tolerance < 0) {
    return [
      { path: [...path, "tolerance"], message: "is below 0, so that no number could be as near. Write 0 or more." },
    ];
  }
  return Object.entries(value).flatMap(([name, each]) => matcherProblems(each, [...path, name]));
}

/** Why a text is no regular expression, or one that tells no two texts apart. */
export function expressionFault(source: string): string | undefined {
  try {
    const expression = new RegExp(source);
    const forbids = /\(\?<?!/.test(source); // what must not be there is no part of either text
    const isEverywhere = !forbids && expression.test("") && expression.test(unlikely);
    return isEverywhere ? "is found in every text, so that it checks nothing. Write what has to be there." : undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `cannot be read: ${reason}. Mend it; flags stand around a part, as in (?i:shipped).`;
  }
}

function fuzzyFault(text: string): string | undefined {
  if (/[^\p{P}\p{Z}\p{C}]/u.test(text)) return undefined;
  return "is punctuation alone, without regard to which it would be found in every text. Write a word, or use regex.";
}
