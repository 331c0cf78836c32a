import { runInTime } from "@bridle/core";
import { z } from "zod";

/** A substring, or `/a regular expression/` with optional flags. */
export const patternSchema = z
  .string()
  .min(1)
  .superRefine((text, context) => {
    try {
      toMatcher(text);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      context.addIssue({ code: "custom", message: `${reason}. Correct the expression between the slashes` });
    }
  });

/** The milliseconds after which a search is aborted. An expression such as `^(a+)+$` can take years. */
const searchMs = 1000;

/** Thrown if a pattern takes too long on the text of a request. The message contains the pattern. */
export class SlowPatternError extends Error {}

/**
 * Returns a function that tests a string for a pattern: `/…/flags` is a regular expression, and every other pattern is a case-sensitive
 * substring. Throws a `SyntaxError` if the expression is invalid. The returned function throws a `SlowPatternError` if the test takes more
 * than a second.
 *
 * @example toMatcher("/refund/i")("A Refund, please") // true
 */
export function toMatcher(text: string): (subject: string) => boolean {
  const [, source, flags = ""] = /^\/(.+)\/([a-z]*)$/s.exec(text) ?? [];
  if (source === undefined) return (subject) => subject.includes(text);
  const expression = new RegExp(source, flags.replaceAll(/[gy]/g, ""));
  return (subject) => {
    const found = runInTime(() => expression.test(subject), searchMs);
    if (found !== undefined) return found.value;
    throw new SlowPatternError(
      `the condition ${text} takes too long on this request. Write it without nested repetition`,
    );
  };
}
