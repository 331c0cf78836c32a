import { showHiddenInDocument } from "@bridle/protocol/text";

/** The maximum number of characters for arguments on one line. */
const max = 160;

/**
 * Formats the arguments of a call on one line. Long arguments are shortened in the middle, because the beginning and the end are the most
 * informative.
 */
export function shortArguments(input: unknown): string {
  const text =
    typeof input === "object" && input !== null && !Array.isArray(input)
      ? describeFields(input)
      : (JSON.stringify(input) ?? "");
  const line = showHiddenInDocument(text.replace(/\s+/g, " "));
  if (line.length <= max) return line;
  return `${line.slice(0, max * 0.7)} … ${line.slice(-max * 0.3)}`;
}

function describeFields(input: object): string {
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : (JSON.stringify(value) ?? "")}`)
    .join(", ");
}
