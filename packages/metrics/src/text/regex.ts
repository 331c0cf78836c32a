import { ConfigError } from "@bridle/protocol";
import { findExpression } from "../find-expression.ts";
import { excerpt } from "./excerpt.ts";
import type { Score } from "./score.ts";

const field = "value";

/**
 * 1 where the regular expression of JavaScript is found somewhere in the answer, else 0. `^` and `$` are the ends of the
 * answer; flags stand around a part, as `(?i:shipped)`. Throws ConfigError for what is no expression, for an empty one, and
 * for one whose search takes over a second.
 */
export function regex(answer: string, value: string): Score {
  if (value === "") {
    throw new ConfigError("value is empty, which is found in every answer. Write an expression.", { field });
  }
  if (isFound(value, answer)) return { score: 1 };
  return { score: 0, reason: `/${value}/ is not found in ${excerpt(answer)}` };
}

function isFound(source: string, text: string): boolean {
  try {
    return findExpression(source, text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const unread = "Mend it; flags stand around a part, as in (?i:shipped).";
    const message = cause instanceof SyntaxError ? `value cannot be read: ${reason}. ${unread}` : `value: ${reason}`;
    throw new ConfigError(message, { field, cause });
  }
}
