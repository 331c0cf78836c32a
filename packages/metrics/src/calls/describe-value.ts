import { isPlainObject } from "@bridle/protocol";
import { shorten } from "../scoring/excerpt.ts";
import { asMatcher, type Matcher } from "./matchers.ts";

/** Longer values are shortened in texts for users. */
const maxCharacters = 200;

/** Formats a value on one line, such as `{ id: "A-1001" }`. */
export function describeValue(value: unknown): string {
  return shorten(
    write(value, () => undefined),
    maxCharacters,
  );
}

/** Formats an expected value, with matchers as text: `{ id: "A-1001", total: the number 5 ± 1 }`. */
export function describeExpected(value: unknown): string {
  return shorten(write(value, asMatcher), maxCharacters);
}

function write(value: unknown, matcherOf: typeof asMatcher): string {
  const matcher = matcherOf(value);
  if (matcher) return describeMatcher(matcher);
  if (Array.isArray(value)) return `[${value.map((each) => write(each, matcherOf)).join(", ")}]`;
  if (!isPlainObject(value)) return JSON.stringify(value) ?? "nothing";
  const fields = Object.entries(value).map(([key, each]) => `${keyOf(key)}: ${write(each, matcherOf)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

function describeMatcher(matcher: Matcher): string {
  if ("fuzzy" in matcher) return `text like ${JSON.stringify(matcher.fuzzy)}`;
  if ("contains" in matcher) return `text that contains ${JSON.stringify(matcher.contains)}`;
  if ("regex" in matcher) return `/${matcher.regex}/`;
  const { number, tolerance = 0 } = matcher;
  return tolerance === 0 ? `the number ${number}` : `the number ${number} ± ${tolerance}`;
}

function keyOf(key: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? key : JSON.stringify(key);
}

/** Formats a count, such as `once` or `2 times`. */
export function formatTimes(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
