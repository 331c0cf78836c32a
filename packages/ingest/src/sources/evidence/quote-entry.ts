/** The lines of one entry of a file, as evidence of what a parser read there. */
import type { SourcePosition } from "@bridle/protocol";

export interface QuotedEntry {
  readonly quote: string;
  /** The position of the quote in the text. */
  readonly start: number;
}

/** How a language shows the end of an entry. */
export type EntryStyle = "indented" | "braces";

const mostLines = 40;
const mostChars = 3_000;

/** The entry that begins at a line, from 1; at most 40 lines of it. Undefined if the text has no such line. */
export function quoteEntry(
  text: string,
  { line, column = 1 }: Pick<SourcePosition, "line" | "column">,
  style: EntryStyle,
  limit = mostLines,
): QuotedEntry | undefined {
  if (line === undefined) return undefined;
  const start = startOfLine(text, line);
  if (start === undefined) return undefined;
  const lines = text.slice(start, start + 50 * mostChars).split("\n");
  const count = Math.min(limit, style === "braces" ? countBraced(lines) : countIndented(lines, column));
  const quote = lines.slice(0, count).join("\n").trimEnd();
  const indent = /^[ \t]*/.exec(quote)?.[0].length ?? 0;
  return quote.trim() === "" ? undefined : { quote: quote.slice(indent, indent + mostChars), start: start + indent };
}

function startOfLine(text: string, line: number): number | undefined {
  let start = 0;
  for (let number = 1; number < line; number += 1) {
    const end = text.indexOf("\n", start);
    if (end === -1) return undefined;
    start = end + 1;
  }
  return start;
}

/** An entry of a list has its other keys in the column of the first; the value of a key is indented further than the key. */
function countIndented(lines: readonly string[], column: number): number {
  const [first = ""] = lines;
  const isOfList = /-[ \t]+$/.test(first.slice(0, column - 1));
  const least = isOfList ? column - 1 : column;
  const next = lines.findIndex((line, index) => index > 0 && line.trim() !== "" && indentOf(line) < least);
  return next === -1 ? lines.length : next;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function countBraced(lines: readonly string[]): number {
  let depth = 0;
  for (const [index, line] of lines.entries()) {
    const bare = line.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "");
    depth += bare.split(/[{[]/).length - bare.split(/[}\]]/).length;
    if (depth <= 0) return index + 1;
  }
  return lines.length;
}
