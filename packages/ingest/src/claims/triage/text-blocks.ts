/** Divides a text into blocks: paragraphs, headings, lists and tables, and parts of blocks that are too long. Pure. */
import { estimateReplyTokens } from "@bridle/context";

export interface TextBlock {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly isHeading: boolean;
}

/** Yields the blocks of a text in order. Together they are the whole text, and no block has more than `maxTokens`. */
export function* blocksOfText(text: string, maxTokens: number): Iterable<TextBlock> {
  const border = /\n[ \t]*\n[ \t\n]*|\n(?=#{1,6}[ \t])/g;
  let start = 0;
  for (const { 0: found, index } of text.matchAll(border)) {
    yield* toBlocks(text, start, index + found.length, maxTokens);
    start = index + found.length;
  }
  yield* toBlocks(text, start, text.length, maxTokens);
}

const dividers: readonly RegExp[] = [/\n/g, /[.!?]\s|[。！？]/g, /\s/g];

/** Divides a block that is too long between lines, then sentences, then words, and finally anywhere. */
function* toBlocks(text: string, start: number, end: number, maxTokens: number, level = 0): Iterable<TextBlock> {
  if (start >= end) return;
  const part = text.slice(start, end);
  const tokens = estimateReplyTokens(part);
  if (tokens <= maxTokens) {
    yield { start, end, tokens, isHeading: /^\s*#{1,6}[ \t]/.test(part) };
    return;
  }
  const divider = dividers[level];
  if (divider === undefined) {
    const size = Math.max(1, Math.floor(part.length * (maxTokens / tokens) * 0.9));
    for (let at = start; at < end; at += size) {
      const to = Math.min(end, at + size);
      yield { start: at, end: to, tokens: estimateReplyTokens(text.slice(at, to)), isHeading: false };
    }
    return;
  }
  let [from, size] = [start, 0];
  let previous = start;
  for (const to of [
    ...Array.from(part.matchAll(divider), ({ 0: found, index }) => start + index + found.length),
    end,
  ]) {
    const more = estimateReplyTokens(text.slice(previous, to));
    if (size > 0 && size + more > maxTokens) {
      yield* toBlocks(text, from, previous, maxTokens, level + 1);
      [from, size] = [previous, 0];
    }
    size += more;
    previous = to;
  }
  yield* toBlocks(text, from, end, maxTokens, level + 1);
}
