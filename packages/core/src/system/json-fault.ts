import { getErrorMessage } from "@bridle/protocol";

/**
 * Describes where a text is invalid JSON, such as `is not valid JSON (line 3, column 5)`. Leaves out the parser's message, because that
 * message quotes the text, and a setting can name any file.
 */
export function describeJsonFault(error: unknown, text: string): string {
  const offset = offsetOf(getErrorMessage(error), text);
  if (offset === undefined) return "is not valid JSON";
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return `is not valid JSON (line ${line}, column ${offset - before.lastIndexOf("\n")})`;
}

/** Returns the position of the fault. The parser's message has no position for an unexpected character or an early end. */
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
