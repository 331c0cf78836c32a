import { getErrorMessage } from "@bridle/protocol";

/**
 * Where a text is no JSON, such as `is not valid JSON (line 3, column 5)`. The messages of the parser quote the text, and the text
 * can be any file that a setting names.
 */
export function describeJsonFault(error: unknown, text: string): string {
  const offset = offsetOf(getErrorMessage(error), text);
  if (offset === undefined) return "is not valid JSON";
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return `is not valid JSON (line ${line}, column ${offset - before.lastIndexOf("\n")})`;
}

/** Parsers do not name the position in a short text, and at its end. */
function offsetOf(message: string, text: string): number | undefined {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return Math.min(Number(position), text.length);
  return message.startsWith("Unexpected end") ? text.length : undefined;
}
