import { isPlainObject } from "@bridle/protocol";

/**
 * A comparison other than equality, for a single text, number or boolean. If the actual value is an object, the matcher is compared with it
 * as an ordinary object, so that arguments may have the names of matchers, too.
 */
export type Matcher =
  | { readonly fuzzy: string }
  | { readonly contains: string }
  | { readonly regex: string }
  | { readonly number: number; readonly tolerance?: number };

/** Returns a mapping that is a matcher; `undefined` for any other value. */
export function asMatcher(value: unknown): Matcher | undefined {
  if (!isPlainObject(value)) return undefined;
  const { fuzzy, contains, regex, number, tolerance } = value;
  const keys = Object.keys(value).sort().join();
  if (keys === "fuzzy" && typeof fuzzy === "string") return { fuzzy };
  if (keys === "contains" && typeof contains === "string") return { contains };
  if (keys === "regex" && typeof regex === "string") return { regex };
  if (keys === "number" && typeof number === "number") return { number };
  if (keys !== "number,tolerance" || typeof number !== "number" || typeof tolerance !== "number") return undefined;
  return { number, tolerance };
}

/** The same character separates all thousands, as in `206,588`, `206 588`, `206'588` and `206_588`. */
const wholeNumber =
  /^(?<sign>[+\-−]?)(?<digits>\d{1,3}(?<group>[,_ '’\u00a0\u2009\u202f])\d{3}(?:\k<group>\d{3})*(?:\.\d*)?|\d+\.?\d*|\.\d+)(?<exponent>e[+-]?\d+)?(?<percent>\s?%)?$/i;

/**
 * Reads the number in a text such as `"206,588"`, `" -3.5 "`, `"1e3"` or `"50%"`, which is 0.5; `undefined` if the text contains other
 * characters, or more digits than a number can distinguish.
 */
export function asNumber(text: string): number | undefined {
  const { sign, digits, exponent = "", percent } = wholeNumber.exec(text.trim())?.groups ?? {};
  if (digits === undefined) return undefined;
  const bare = digits.replaceAll(/[^\d.]/g, "");
  if (
    bare
      .replace(/^[0.]+/, "")
      .replace(".", "")
      .replace(/0+$/, "").length > maxDigits
  )
    return undefined;
  const value = Number(`${bare}${exponent}`) / (percent === undefined ? 1 : 100);
  return sign === "-" || sign === "−" ? -value : value;
}

/** Numbers with more significant digits can be equal although their digits differ. */
const maxDigits = 15;

/** Whether two numbers differ by at most `tolerance`. Floating-point rounding errors do not count. */
export function isNear(actual: number, expected: number, tolerance: number): boolean {
  const rounding = tolerance === 0 ? 0 : Number.EPSILON * Math.max(Math.abs(actual), Math.abs(expected), tolerance) * 2;
  return Math.abs(actual - expected) <= tolerance + rounding;
}
