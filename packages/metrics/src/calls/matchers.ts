import { isPlainObject } from "@bridle/protocol";

/**
 * How a single value is compared otherwise than by being equal. Matchers are about text, numbers and booleans: where the
 * value that came is an object, a matcher is compared with it as an object, so that arguments may have these names too.
 */
export type Matcher =
  | { readonly fuzzy: string }
  | { readonly regex: string }
  | { readonly number: number; readonly tolerance?: number };

/** A mapping that is a matcher and nothing else; `undefined` for any other value. */
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

/** A text without case, punctuation and spaces: what `fuzzy` compares. `£5` and `C++` keep their signs. */
export function bareText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\p{P}\p{Z}\p{C}]/gu, "");
}

const wholeNumber = /^[+-]?(?:\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** The number that a text is, as in `"206,588"`, `" -3.5 "` and `"1e3"`; `undefined` where it holds anything else. */
export function asNumber(text: string): number | undefined {
  const bare = text.trim();
  return wholeNumber.test(bare) ? Number(bare.replaceAll(",", "")) : undefined;
}

/** Whether two numbers are as near as `tolerance`; what binary fractions add to or take from it does not count. */
export function isNear(actual: number, expected: number, tolerance: number): boolean {
  const rounding = tolerance === 0 ? 0 : Number.EPSILON * Math.max(Math.abs(actual), Math.abs(expected), tolerance) * 2;
  return Math.abs(actual - expected) <= tolerance + rounding;
}
