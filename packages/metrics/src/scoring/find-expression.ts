import { runInTime } from "@bridle/core";

/** A search that takes longer is aborted: an expression such as `^(a+)+$` can take years. */
const searchMs = 1000;

/** A text that no expression looks for. */
const unlikely = "\u{10FFFE}";

/**
 * Whether a regular expression matches somewhere in a text. Flags are part of the expression, as in `(?i:shipped)`. Throws
 * SyntaxError if the expression is not valid, and Error if the search takes more than a second.
 */
export function findExpression(source: string, text: string): boolean {
  const expression = new RegExp(source);
  const found = runInTime(() => expression.test(text), searchMs);
  if (found !== undefined) return found.value;
  throw new Error(`The expression /${source}/ takes too long on this text. Write it without nested repetition.`);
}

/** Why an expression cannot be used in a test: it is not valid, or it matches every text. */
export function expressionFault(source: string): string | undefined {
  try {
    const expression = new RegExp(source);
    const forbids = /\(\?<?!/.test(source); // forbidden text is part of neither sample
    const matchesEverything = !forbids && expression.test("") && expression.test(unlikely);
    return matchesEverything
      ? "matches every text, so it checks nothing. Write what the text has to contain."
      : undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `is not valid: ${reason}. Correct it; flags go around a part, as in (?i:shipped).`;
  }
}
