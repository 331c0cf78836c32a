import { estimateTokens } from "./tokens.ts";

/** A piece of a longer text, with the numbers of its first and last line, from 0. */
export interface Piece {
  readonly text: string;
  readonly line: number;
  readonly lastLine: number;
}

/**
 * Splits a text into pieces of at most `maxTokens`: between lines if possible, then between sentences, then between words, and inside a
 * word only if the word is too long. The joined pieces equal the text.
 */
export function splitText(text: string, maxTokens: number): readonly Piece[] {
  const pieces: Piece[] = [];
  let line = 0;
  for (const part of pack(text, maxTokens, splitters)) {
    const breaks = part.split("\n").length - 1;
    const ending = part.endsWith("\n") ? 1 : 0;
    pieces.push({ text: part, line, lastLine: Math.max(line, line + breaks - ending) });
    line += breaks;
  }
  return pieces;
}

type Splitter = (text: string) => readonly string[];

const splitters: readonly Splitter[] = [
  (text) => text.split(/(?<=\n)/),
  (text) => segments(text, "sentence"),
  (text) => segments(text, "word"),
  (text) => segments(text, "grapheme"),
];

function segments(text: string, granularity: "sentence" | "word" | "grapheme"): string[] {
  return Array.from(new Intl.Segmenter("und", { granularity }).segment(text), ({ segment }) => segment);
}

/** Joins adjacent parts that fit together. The next splitter splits a part that is too long. */
function pack(text: string, maxTokens: number, [split, ...finer]: readonly Splitter[]): string[] {
  if (split === undefined || estimateTokens(text) <= maxTokens) return [text];
  const packed: string[] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const part of split(text)) {
    const tokens = estimateTokens(part);
    if (size + tokens <= maxTokens) {
      packed.push(`${packed.pop() ?? ""}${part}`);
      size += tokens;
    } else {
      const parts = pack(part, maxTokens, finer);
      packed.push(...parts);
      size = estimateTokens(parts.at(-1) ?? "");
    }
  }
  return packed;
}
