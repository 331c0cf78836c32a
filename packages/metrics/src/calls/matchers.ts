import { isPlainObject } from "@bridle/protocol";

/**
 * How a single value is compared if not for equality. Matchers are for text, numbers and booleans. If the actual value is an
 * object, the matcher is compared with it as an object, so that arguments may have these names too.
 */
export type Matcher =
  | { readonly fuzzy: string }
  | { readonly regex: string }
  | { readonly number: number; readonly tolerance?: number };

/** A mapping that is a matcher; `undefined` for any other value. */
export function asMatcher(value: unknown): Matcher | undefined {
  if (!isPlainObject(value)) return undefined;
  const { fuzzy, regex, number, tolerance } = value;
  const keys = Object.keys(value).sort().join();
  if (keys === "fuzzy" && typeof fuzzy === "string") return { fuzzy };
  if (keys === "regex" && typeof regex === "string") return { regex };
  if (keys === "number" && typeof number === "number") return { number };
  if (keys !== "number,tolerance" || typeof number !== "number" || typeof tolerance !== "number") return undefined;
  return { number, tolerance };
}

/** A text without case, punctuation and spaces, as `fuzzy` compares it. `£5` and `C++` keep their signs. */
export function bareText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\p{P}\p{Z}\p{C}]/gu, "");
}

const wholeNumber = /^[+-]?(?:\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** The number in a text such as `"206,588"`, `" -3.5 "` or `"1e3"`; `undefined` if there is anything else in it. */
export function asNumber(text: string): number | undefined {
  const bare = text.trim();
  return wholeNumber.test(bare) ? Number(bare.replaceAll(",", "")) : undefined;
}

/** Whether two numbers differ by at most `tolerance`. Rounding errors of binary fractions do not count. */
export function isNear(actual: number, expected: number, tolerance: number): boolean {
  const rounding = tolerance === 0 ? 0 : Number.EPSILON * Math.max(Math.abs(actual), Math.abs(expected), tolerance) * 2;
  return Math.abs(actual - expected) <= tolerance + rounding;
}
