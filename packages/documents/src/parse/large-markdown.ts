import type { Block } from "./block.ts";
import { paragraphsOf } from "./text.ts";

/** A fast parser for large files: headings, and paragraphs between empty lines. Code blocks have no headings. Pure. */
export function parseLargeMarkdown(text: string): readonly Block[] {
  let fence: string | undefined;
  return paragraphsOf(text).flatMap((block) => {
    const isInCode = fence !== undefined;
    fence = fenceAfter(block.text, fence);
    return isInCode ? [block] : headingAnd(block);
  });
}

/** The fence of the code block that is open after these lines; undefined if none is. */
function fenceAfter(text: string, before: string | undefined): string | undefined {
  let open = before;
  for (const [, mark = ""] of text.matchAll(/^ {0,3}(`{3,}|~{3,})/gm)) {
    if (open === undefined) open = mark;
    else if (mark.startsWith(open)) open = undefined;
  }
  return open;
}

/** Splits a heading from text directly below it. */
function headingAnd(block: Block): readonly Block[] {
  const [, marks] = /^ {0,3}(#{1,6})[ \t]/.exec(block.text) ?? [];
  const { lines } = block;
  if (marks === undefined || lines === undefined) return [block];
  const end = block.text.indexOf("\n");
  const title = end < 0 ? block.text : block.text.slice(0, end);
  const heading: Block = {
    kind: "heading",
    text: title,
    depth: marks.length,
    lines: { from: lines.from, to: lines.from },
  };
  if (end < 0) return [heading];
  const rest = { ...block, text: block.text.slice(end + 1), lines: { from: lines.from + 1, to: lines.to } };
  return [heading, ...headingAnd(rest)];
}
