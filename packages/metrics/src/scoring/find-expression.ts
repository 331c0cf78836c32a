import { runInTime } from "@bridle/core";
import { compileExpression } from "./expression-parts.ts";

/** The time limit of a search: an expression such as `^(a+)+$` can take years. */
const searchMs = 1000;

/**
 * Whether a regular expression matches somewhere in a text. Flags are part of the expression, as in `(?i:shipped)`. Throws
 * SyntaxError if the expression is not valid, and Error if the search takes more than a second.
 */
export function findExpression(source: string, text: string): boolean {
  const expression = compileExpression(source);
  const found = runInTime(() => expression.test(text), searchMs);
  if (found !== undefined) return found.value;
  throw new Error(`The expression /${source}/ takes too long on this text. Write it without nested repetition.`);
}
