/** Creates links between the pages of a data context: `[[fares]]`, `[[fares|the fares]]`, `[[fares#Gross fare]]`. Pure. */
import { showHiddenInDocument } from "@bridle/protocol/text";
import type { MarkdownBlocks } from "./parse-markdown.ts";

type Block = NonNullable<MarkdownBlocks>[number];

/** The prefix of page URLs. It cannot occur in a text, because the parser replaces this character. */
const mark = "\0";

/** Returns the page that a link leads to, if `linkPages` created the link. */
export function pageAddress(url: string): string | undefined {
  return url.startsWith(mark) ? url.slice(mark.length) : undefined;
}

const pattern = /\[\[([^[\]|#\n]+)(?:#([^[\]|\n]*))?(?:\|([^[\]\n]*))?\]\]/g;

/** Returns the blocks of a text with links to pages. Brackets in code, in links and after a backslash are not links. */
export function linkPages(blocks: MarkdownBlocks, text: string, toPage: (page: string) => string): MarkdownBlocks {
  const source = showHiddenInDocument(text); // the text that was parsed
  return blocks?.flatMap((block) => linkNode(block, source, toPage));
}

function linkNode<Node extends Block>(
  node: Node,
  source: string,
  toPage: (page: string) => string,
): readonly (Node | Block)[] {
  if (node.type === "text") return linkText(node, source, toPage);
  if (!("children" in node) || node.type === "link" || node.type === "linkReference") return [node];
  const children = node.children.flatMap((child) => linkNode(child, source, toPage));
  return [{ ...node, children }];
}

function linkText(
  node: Extract<Block, { type: "text" }>,
  source: string,
  toPage: (page: string) => string,
): readonly Block[] {
  const { value, position } = node;
  const written = source.slice(position?.start.offset, position?.end.offset).replaceAll("\\|", "|"); // in tables, pipes are escaped
  const parts: Block[] = [];
  let end = 0;
  for (const { 0: whole, 1: page = "", 2: section = "", 3: words = "", index } of value.matchAll(pattern)) {
    if (!written.includes(whole)) continue;
    const shown =
      words.trim() ||
      [page, section]
        .map((name) => name.trim())
        .filter(Boolean)
        .join(" › ");
    const link = { type: "link" as const, url: mark + toPage(page.trim()) };
    parts.push({ type: "text", value: value.slice(end, index) });
    parts.push({ ...link, children: [{ type: "text", value: shown }] });
    end = index + whole.length;
  }
  return [...parts, { type: "text", value: value.slice(end) }];
}
