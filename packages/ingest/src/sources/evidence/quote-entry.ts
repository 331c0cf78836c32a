/** Quotes the lines of an entry in a file, as evidence for a parser's candidate. */
import type { SourcePosition } from "@bridle/protocol";

export interface QuotedEntry {
  readonly quote: string;
  /** The position of the quote in the text. */
  readonly start: number;
}

/** How a language marks the end of an entry. */
export type EntryStyle = "indented" | "braces";

const maxLines = 40;
/** The maximum length of a quote. Longer quotes cannot be cited. */
const maxChars = 1_900;

/** Quotes entries of one text. */
export class EntryQuotes {
  readonly #lines: readonly string[];
  readonly #starts: readonly number[];
  readonly #style: EntryStyle;

  constructor(text: string, style: EntryStyle) {
    this.#style = style;
    this.#lines = text.split("\n");
    let start = 0;
    this.#starts = this.#lines.map((line) => {
      const own = start;
      start += line.length + 1;
      return own;
    });
  }

  /** Quotes the entry that begins at a line (from 1), cut to 40 lines; undefined if the text has no such line. */
  at({ line, column = 1 }: Pick<SourcePosition, "line" | "column">, limit = maxLines): QuotedEntry | undefined {
    const first = this.#lines[(line ?? 0) - 1];
    const start = this.#starts[(line ?? 0) - 1];
    if (line === undefined || first === undefined || start === undefined || first.trim() === "") return undefined;
    const lines = this.#lines.slice(line - 1, line - 1 + limit);
    const count = this.#style === "braces" ? countBraced(lines) : countIndented(lines, column);
    const quote = lines.slice(0, count).join("\n").trimEnd();
    const indent = indentOf(first);
    return { quote: quote.slice(indent, indent + maxChars), start: start + indent };
  }
}

/**
 * Counts the lines of an entry by indentation. In a list, the other keys of an entry start in the column of its first key. The value of a
 * key is indented further than the key.
 */
function countIndented(lines: readonly string[], column: number): number {
  const [first = ""] = lines;
  const isOfList = /-[ \t]+$/.test(first.slice(0, column - 1));
  const min = isOfList ? column - 1 : column;
  const next = lines.findIndex((line, index) => index > 0 && line.trim() !== "" && indentOf(line) < min);
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
