import type { JsonValue } from "@bridle/protocol";
import type { Score } from "../text/score.ts";
import { differenceOf } from "./difference.ts";
import { parsePath, valueAt } from "./path.ts";
import { answeredValue, type StructuredAnswer } from "./structured-answer.ts";

/**
 * 1 where the value at a path of the answer is the expected one, else 0. They are compared as JSON: keys in any order, lists
 * in theirs, values of the same type. Throws ConfigError for what is no path.
 */
export function responsePath(answer: StructuredAnswer, path: string, expected: JsonValue): Score {
  const keys = parsePath(path);
  const held = answeredValue(answer);
  if ("problem" in held) return { score: 0, reason: held.problem };
  const found = valueAt(held.value, keys);
  if ("missing" in found) return { score: 0, reason: found.missing };
  const reason = differenceOf(expected, found.value, keys);
  return reason === undefined ? { score: 1 } : { score: 0, reason };
}
