import { isBridleError } from "@bridle/protocol";
import type { MetricRefusal } from "@bridle/semantic";

/**
 * Explains errors that a metric's statement raises on purpose because its result would be wrong: a string that is not a time, or a number
 * with too many digits. Returns undefined for other errors.
 */
export function exactnessRefusal(error: unknown): MetricRefusal | undefined {
  if (!isBridleError(error)) return undefined;
  const words = /metric: ([^']+)'/.exec(error.message)?.[1] ?? wordsOf(error.message);
  if (words === undefined) return undefined;
  const sentence = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return { reason: "unsupported", message: `${sentence}. Correct the data, or leave the column out.` };
}

/**
 * Recognizes the error about a string that is not a time: PostgreSQL and DuckDB fail to read the string, and MySQL and MariaDB fail to
 * compute a sum that is too large.
 */
function wordsOf(message: string): string | undefined {
  const isNoTime = /is not an ISO 8601 time|9223372036854775807 \+ char_length/i.test(message);
  return isNoTime ? "a value is not an ISO 8601 time" : undefined;
}
