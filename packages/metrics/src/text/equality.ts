import type { JsonValue } from "@bridle/protocol";
import { differenceOf } from "../structure/difference.ts";
import { jsonIn } from "../structure/structured-answer.ts";
import { excerpt } from "./excerpt.ts";
import type { Score } from "./score.ts";

/**
 * 1 where the answer is what is expected, else 0. A text has to be the same text; white space at both ends does not count.
 * Anything else, and a text that is a JSON object or list, is compared as JSON with the answer: keys in any order, lists
 * in theirs, values of the same type (`true` is not `1`, `"1"` is not `1`), nothing more and nothing less.
 */
export function equality(answer: string, expected: JsonValue): Score {
  const wanted = typeof expected === "string" ? structureIn(expected) : { value: expected };
  if (wanted === undefined) return ofTexts(answer.trim(), String(expected).trim());
  const given = jsonIn(answer);
  if (given === undefined) return { score: 0, reason: `the answer is no JSON: ${excerpt(answer)}` };
  const reason = differenceOf(wanted.value, given.value);
  return reason === undefined ? { score: 1 } : { score: 0, reason };
}

function ofTexts(given: string, wanted: string): Score {
  return given === wanted ? { score: 1 } : { score: 0, reason: `${excerpt(given)} instead of ${excerpt(wanted)}` };
}

function structureIn(text: string): { readonly value: unknown } | undefined {
  const json = jsonIn(text);
  return typeof json?.value === "object" && json.value !== null ? json : undefined;
}
