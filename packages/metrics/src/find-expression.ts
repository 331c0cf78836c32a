import { inTime } from "./in-time.ts";

/** A search that takes longer is given up: an expression such as `^(a+)+$` may take years. */
const searchMs = 1000;

/**
 * Whether a regular expression is found in a text. Flags stand within it, as in `(?i:shipped)`. Throws a SyntaxError for
 * one that cannot be read, and an Error for a search that takes longer than a second.
 */
export function findExpression(source: string, text: string): boolean {
  const expression = new RegExp(source);
  const found = inTime(() => expression.test(text), searchMs);
  if (found !== undefined) return found.value;
  throw new Error(`The expression /${source}/ takes too long on this text. Write it without nested repetition.`);
}
