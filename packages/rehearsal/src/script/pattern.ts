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

/**
 * A test for a pattern: `/…/flags` is a regular expression, and every other text is a case-sensitive substring. Throws a
 * `SyntaxError` for an invalid expression.
 *
 * @example toMatcher("/refund/i")("A Refund, please") // true
 */
export function toMatcher(text: string): (subject: string) => boolean {
  const [, source, flags = ""] = /^\/(.+)\/([a-z]*)$/s.exec(text) ?? [];
  if (source === undefined) return (subject) => subject.includes(text);
  const expression = new RegExp(source, flags.replaceAll(/[gy]/g, ""));
  return (subject) => expression.test(subject);
}
