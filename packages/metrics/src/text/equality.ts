import { canonicalJson, isPlainObject, type JsonValue } from "@bridle/core";
import { excerpt, shortened } from "./excerpt.ts";
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
  const reason = differenceOf(wanted.value, given.value, "");
  return reason === undefined ? { score: 1 } : { score: 0, reason };
}

function ofTexts(given: string, wanted: string): Score {
  return given === wanted ? { score: 1 } : { score: 0, reason: `${excerpt(given)} instead of ${excerpt(wanted)}` };
}

function structureIn(text: string): { readonly value: unknown } | undefined {
  const json = jsonIn(text);
  return typeof json?.value === "object" && json.value !== null ? json : undefined;
}

function jsonIn(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // text of another kind
  }
}

/** The first difference, with its path such as `order.items[0]`. */
export function differenceOf(wanted: unknown, given: unknown, path: string): string | undefined {
  if (Array.isArray(wanted) && Array.isArray(given) && wanted.length === given.length) {
    return firstOf(wanted, (each, index) => differenceOf(each, given[index], `${path}[${index}]`));
  }
  if (isPlainObject(wanted) && isPlainObject(given)) {
    return firstOf([...new Set([...Object.keys(wanted), ...Object.keys(given)])], (key) =>
      differenceOf(own(wanted, key), own(given, key), path === "" ? key : `${path}.${key}`),
    );
  }
  if (wanted !== undefined && wanted === given) return undefined;
  return `${path === "" ? "the answer" : path} is ${shown(given)} instead of ${shown(wanted)}`;
}

function firstOf<T>(items: readonly T[], find: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

const own = (holder: Record<string, unknown>, key: string) => (Object.hasOwn(holder, key) ? holder[key] : undefined);
const shown = (value: unknown) =>
  typeof value === "number" ? String(value) : value === undefined ? "nothing" : shortened(canonicalJson(value));
