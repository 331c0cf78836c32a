/**
 * Reads doc blocks: texts in Markdown files that descriptions refer to. Doc blocks cannot refer to each other, so each reference is
 * resolved only once.
 */
import type { QuotedEntry } from "../evidence/quote-entry.ts";

export interface DocBlock extends QuotedEntry {
  readonly name: string;
  readonly item: string;
}

const opening = /\{%-?\s{0,9}docs\s{1,9}(\w{1,200})\s{0,9}-?%\}/g;
const closing = /\{%-?\s{0,9}enddocs\s{0,9}-?%\}/g;

export function findDocBlocks(item: string, text: string): readonly DocBlock[] {
  const blocks: DocBlock[] = [];
  let from = 0;
  for (const found of text.matchAll(opening)) {
    if (found.index < from) continue;
    const start = found.index + found[0].length;
    closing.lastIndex = start;
    const end = closing.exec(text);
    if (end === null) break;
    const inner = text.slice(start, end.index);
    const lead = inner.length - inner.trimStart().length;
    blocks.push({ name: found[1] ?? "", item, quote: inner.trim(), start: start + lead });
    from = end.index;
  }
  return blocks;
}

const reference =
  /\{\{\s{0,9}doc\(\s{0,9}["'](\w{1,200})["'](?:\s{0,9},\s{0,9}["'](\w{1,200})["'])?\s{0,9}\)\s{0,9}\}\}/;

/** Returns the name of the block if a description consists only of a reference to a block. */
export function docReference(description: string): string | undefined {
  const found = reference.exec(description);
  if (found === null || found[0].length !== description.trim().length) return undefined;
  return found[2] ?? found[1];
}

export function hasJinja(text: string): boolean {
  return /\{\{|\{%/.test(text);
}
