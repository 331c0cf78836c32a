import { getErrorMessage } from "@bridle/protocol";

/**
 * Describes where a text is invalid JSON, such as `is not valid JSON (line 3, column 5)`. It does not contain the parser's message, which
 * quotes the text: the text can be any file that a setting names.
 */
export function describeJsonFault(error: unknown, text: string): string {
  const offset = offsetOf(getErrorMessage(error), text);
  if (offset === undefined) return "is not valid JSON";
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return `is not valid JSON (line ${line}, column ${offset - before.lastIndexOf("\n")})`;
}

/** The parser does not name the position of a character that cannot be there, and of the end. */
function offsetOf(message: string, text: string): number | undefined {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return Math.min(Number(position), text.length);
  if (message.startsWith("Unexpected end")) return text.length;
  let [begins, ends] = [0, text.length]; // the longest beginning that could still become JSON is between them
  while (begins < ends) {
    const middle = Math.ceil((begins + ends) / 2);
    if (couldContinue(text.slice(0, middle))) begins = middle;
    else ends = middle - 1;
  }
  return begins < text.length ? begins : undefined;
}

function couldContinue(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = getErrorMessage(error);
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    return position === undefined ? message.startsWith("Unexpected end") : Number(position) >= text.length;
  }
}
