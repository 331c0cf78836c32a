/** Reads and writes JSON whose numbers keep all of their digits. */

/** A number with the digits that the text contains. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Parses JSON. Each number becomes an ExactNumber. */
export function parseExactJson(text: string): unknown {
  const revive = (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" ? new ExactNumber(context?.source ?? String(value)) : value;
  return JSON.parse(text, revive);
}

/** Writes a value that `parseExactJson` returned. */
export function writeExactJson(value: unknown): string {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeExactJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, entry]) => `${JSON.stringify(key)}:${writeExactJson(entry)}`)
    .join(",")}}`;
}
