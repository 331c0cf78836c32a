import { canonicalJson, getErrorMessage, isPlainObject } from "@bridle/protocol";
import { findExpression } from "../scoring/find-expression.ts";
import { readNumbers } from "../values/numbers-in.ts";
import { formatPath, type Path } from "../values/path.ts";
import { containsBareText, readBareText } from "./bare-text.ts";
import { describeExpected, describeValue } from "./describe-value.ts";
import { asMatcher, asNumber, isNear, type Matcher } from "./matchers.ts";

/** A difference at a path such as `order.items[0].id`. The empty path is the value itself. */
export interface Difference {
  readonly path: string;
  readonly problem: string;
}

/**
 * Lists the differences between a value and the expected value; none if the value matches.
 *
 * Text, booleans and null must be equal and of the same type: `true` is not `1`. An expected number also matches a text that consists of
 * this number: 206588 matches `"206,588"`, and 0.5 matches `"50%"`. An expected text does not match a number. Lists must have the same
 * length, and match entry by entry. An object may have more keys than the expected object. Matchers can be at any depth.
 */
export function matchValue(expected: unknown, actual: unknown, path: Path = []): Difference[] {
  if (actual === undefined) return [difference(path, "is missing")];
  if (Array.isArray(expected)) return matchList(expected, actual, path);
  const matcher = isPlainObject(actual) ? undefined : asMatcher(expected);
  if (matcher) return meets(matcher, actual, path);
  if (isPlainObject(expected)) return matchObject(expected, actual, path);
  return isSame(expected, actual) ? [] : [mismatch(expected, actual, path)];
}

function matchList(expected: readonly unknown[], actual: unknown, path: Path): Difference[] {
  if (!Array.isArray(actual)) return [mismatch(expected, actual, path)];
  if (actual.length !== expected.length) {
    return [difference(path, `has ${actual.length} entries instead of ${expected.length}`)];
  }
  return expected.flatMap((each, index) => matchValue(each, actual[index], [...path, index]));
}

function matchObject(expected: Record<string, unknown>, actual: unknown, path: Path): Difference[] {
  if (!isPlainObject(actual)) return [mismatch(expected, actual, path)];
  return Object.entries(expected).flatMap(([key, value]) =>
    matchValue(value, Object.hasOwn(actual, key) ? actual[key] : undefined, [...path, key]),
  );
}

function isSame(expected: unknown, actual: unknown): boolean {
  if (typeof expected === "number" && typeof actual === "string") return asNumber(actual) === expected;
  if (typeof expected === "number" || typeof actual === "number") return expected === actual; // as JSON, infinity is null
  return canonicalJson(expected) === canonicalJson(actual);
}

function meets(matcher: Matcher, actual: unknown, path: Path): Difference[] {
  try {
    return fits(matcher, actual) ? [] : [mismatch(matcher, actual, path)];
  } catch (error) {
    return [difference(path, `cannot be compared: ${getErrorMessage(error)}`)];
  }
}

function fits(matcher: Matcher, actual: unknown): boolean {
  if ("number" in matcher) {
    const { number, tolerance = 0 } = matcher;
    return numbersOf(actual).some((each) => isNear(each, number, tolerance));
  }
  const text = textOf(actual);
  if (text === undefined) return false;
  if ("regex" in matcher) return findExpression(matcher.regex, text);
  return "fuzzy" in matcher ? isLike(matcher.fuzzy, text) : contains(matcher.contains, text);
}

/** Lists the numbers that a value can stand for. A percentage is a hundredth of its number: `50%` is 0.5. */
function numbersOf(value: unknown): readonly number[] {
  if (typeof value === "number") return [value];
  if (typeof value !== "string") return [];
  return readNumbers(value).map((each) => (each.isPercent ? each.value / 100 : each.value));
}

/** Whether two texts are the same number, or have the same words, numbers and symbols. */
function isLike(expected: string, actual: string): boolean {
  const [wanted, found] = [asNumber(expected), asNumber(actual)];
  if (wanted !== undefined && found !== undefined) return isNear(found, wanted, 1e-9);
  return requireWords(expected) === readBareText(actual).text;
}

function contains(expected: string, actual: string): boolean {
  return containsBareText(readBareText(actual), requireWords(expected));
}

function requireWords(expected: string): string {
  const { text } = readBareText(expected);
  if (text !== "") return text;
  throw new Error("the expected text is only punctuation, which does not count");
}

/** Returns the text that a matcher searches. Numbers and booleans count as text; lists, objects and null do not. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

function mismatch(expected: unknown, actual: unknown, path: Path): Difference {
  return difference(path, `is ${describeValue(actual)} instead of ${describeExpected(expected)}`);
}

function difference(path: Path, problem: string): Difference {
  return { path: formatPath(path), problem };
}
