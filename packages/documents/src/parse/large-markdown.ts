import type { Block } from "./block.ts";
import { paragraphsOf } from "./text.ts";

/** Parses large files quickly: finds only headings, and paragraphs between empty lines. Ignores headings in code blocks. Pure. */
export function parseLargeMarkdown(text: string): readonly Block[] {
  let fence: string | undefined;
  return paragraphsOf(text).flatMap((block) => {
    const isInCode = fence !== undefined;
    fence = fenceAfter(block.text, fence);
    return isInCode ? [block] : headingsAnd(block);
  });
}

/** Returns the fence of the code block that is open after these lines; undefined if no block is open. */
function fenceAfter(text: string, before: string | undefined): string | undefined {
  let open = before;
  for (const [, mark = ""] of text.matchAll(/^ {0,3}(`{3,}|~{3,})/gm)) {
    if (open === undefined) open = mark;
    else if (mark.startsWith(open)) open = undefined;
  }
  return open;
}

/** Splits headings from the text directly below them. */
function headingsAnd(block: Block): readonly Block[] {
  const blocks: Block[] = [];
  let rest: Block | undefined = block;
  while (rest !== undefined) {
    const heading = headingOf(rest);
    blocks.push(heading ?? rest);
    rest = heading && below(heading, rest);
  }
  return blocks;
}

/** Returns the heading in the first line of a block. */
function headingOf({ text, lines }: Block): Block | undefined {
  const [title = ""] = text.split("\n", 1);
  const [, marks] = /^ {0,3}(#{1,6})[ \t]/.exec(title) ?? [];
  if (marks === undefined || lines === undefined) return undefined;
  return { kind: "heading", text: title, depth: marks.length, lines: { from: lines.from, to: lines.from } };
}

function below(heading: Block, { lines, ...block }: Block): Block | undefined {
  if (lines === undefined || heading.text.length === block.text.length) return undefined;
  return { ...block, text: block.text.slice(heading.text.length + 1), lines: { from: lines.from + 1, to: lines.to } };
}
