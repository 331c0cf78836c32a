/** Divides a text into passages for models. Every part of a text is in a passage, so that nothing far down in a page is lost. Pure. */

import { estimateReplyTokens } from "@bridle/context";
import { sha256 } from "@bridle/core";
import type { InstructionMark } from "../../sources/instruction-mark.ts";
import type { StagedItem } from "../../sources/source.ts";
import { findHeadings, headingsAbove } from "../gates/cited-item.ts";
import { blocksOfText, type TextBlock } from "./text-blocks.ts";

export interface TextPassage {
  /** The position in the stored text. */
  readonly start: number;
  readonly end: number;
  /** The title of the item. */
  readonly title: string;
  /** The headings above the passage, outermost first. */
  readonly headings: readonly string[];
  /** The text that a model sees, without texts that address an assistant. */
  readonly text: string;
  readonly tokens: number;
}

/** The maximum number of tokens in a passage. */
const passageTokens = 5000;

/** Replaces a text that addresses an assistant. */
const withheldText = "[withheld: text that addresses an assistant]";

/**
 * Divides the stored text of an item. The surrounding text determines the borders, so a change in a long text affects only the passages
 * around the change.
 */
export function passagesOf(
  { title }: Pick<StagedItem, "title">,
  text: string,
  marks: readonly InstructionMark[],
  maxTokens: number = passageTokens,
): readonly TextPassage[] {
  const headings = findHeadings(text);
  return groupBlocks(text, maxTokens).flatMap(({ start, end }) => {
    const shown = withhold(text, start, end, marks).trim();
    if (!saysSomething(shown)) return [];
    const above = headingsAbove(headings, start).map((heading) => withholdHeading(heading, text, marks));
    return [{ start, end, title, headings: above, text: shown, tokens: estimateReplyTokens(shown) + 30 }];
  });
}

/**
 * Groups blocks. Once a group has half of the maximum size, it may end before a heading, or before a block selected by the hash of its
 * text.
 */
function groupBlocks(text: string, maxTokens: number): readonly { readonly start: number; readonly end: number }[] {
  const groups: { start: number; end: number }[] = [];
  let tokens = 0;
  for (const block of blocksOfText(text, maxTokens)) {
    const last = groups.at(-1);
    if (last === undefined || tokens + block.tokens > maxTokens || (tokens > maxTokens / 2 && mayBegin(text, block))) {
      groups.push({ start: block.start, end: block.end });
      tokens = block.tokens;
    } else {
      last.end = block.end;
      tokens += block.tokens;
    }
  }
  return groups;
}

function mayBegin(text: string, { start, end, isHeading }: TextBlock): boolean {
  return isHeading || Number.parseInt(sha256(text.slice(start, end)).slice(0, 2), 16) % 4 === 0;
}

function withhold(text: string, start: number, end: number, marks: readonly InstructionMark[]): string {
  const parts: string[] = [];
  let at = start;
  for (const mark of marks) {
    if (mark.end <= start || mark.start >= end) continue;
    parts.push(text.slice(at, Math.max(at, mark.start)), withheldText);
    at = Math.max(at, mark.end);
  }
  parts.push(text.slice(Math.min(at, end), end));
  return parts.join("");
}

function withholdHeading(title: string, text: string, marks: readonly InstructionMark[]): string {
  return marks.some(({ start, end }) => text.slice(start, end).includes(title)) ? withheldText : title;
}

/** Whether the text has words apart from headings and withheld parts. */
function saysSomething(text: string): boolean {
  const rest = text.replaceAll(withheldText, "").replaceAll(/^ {0,3}#{1,6}[ \t][^\n]*$/gm, "");
  return /[\p{L}\p{N}]{2}/u.test(rest);
}
