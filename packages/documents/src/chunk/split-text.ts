import { estimateTokens } from "./tokens.ts";

/** A piece of a longer text, and the lines of it, from 0. */
export interface Piece {
  readonly text: string;
  readonly line: number;
  readonly lastLine: number;
}

/**
 * Cuts a text into pieces of at most `maxTokens`, at the largest joints that do: lines, sentences, words, and within a
 * word only where it alone is too long. All pieces together are the text.
 */
export function splitText(text: string, maxTokens: number): readonly Piece[] {
  const pieces: Piece[] = [];
  let line = 0;
  for (const part of pack(text, maxTokens, joints)) {
    const breaks = part.split("\n").length - 1;
    const ending = part.endsWith("\n") ? 1 : 0;
    pieces.push({ text: part, line, lastLine: Math.max(line, line + breaks - ending) });
    line += breaks;
  }
  return pieces;
}

type Joint = (text: string) => readonly string[];

const joints: readonly Joint[] = [
  (text) => text.split(/(?<=\n)/),
  (text) => segments(text, "sentence"),
  (text) => segments(text, "word"),
  (text) => segments(text, "grapheme"),
];

function segments(text: string, granularity: "sentence" | "word" | "grapheme"): string[] {
  return Array.from(new Intl.Segmenter("und", { granularity }).segment(text), ({ segment }) => segment);
}

/** Joins neighbours as long as they fit; what does not fit alone is cut at smaller joints. */
function pack(text: string, maxTokens: number, [joint, ...smaller]: readonly Joint[]): string[] {
  if (joint === undefined || estimateTokens(text) <= maxTokens) return [text];
  const packed: string[] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const part of joint(text)) {
    const tokens = estimateTokens(part);
    if (size + tokens <= maxTokens) {
      packed.push(`${packed.pop() ?? ""}${part}`);
      size += tokens;
    } else {
      const parts = pack(part, maxTokens, smaller);
      packed.push(...parts);
      size = estimateTokens(parts.at(-1) ?? "");
    }
  }
  return packed;
}
