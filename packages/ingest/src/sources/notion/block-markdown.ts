/** Writes the blocks of a page as Markdown. */
import { isPlainObject } from "@bridle/protocol";
import type { NotionBlock } from "./notion-schema.ts";
import { plainRichText, readRichText } from "./rich-text.ts";

/** A block with its children. */
export interface BlockTree {
  readonly block: NotionBlock;
  readonly children: readonly BlockTree[];
}

export function blocksToMarkdown(trees: readonly BlockTree[]): string {
  return trees
    .map((tree, index) => ({ text: blockToMarkdown(tree), isTight: isItem(tree) && isItem(trees[index - 1]) }))
    .filter(({ text }) => text.trim() !== "")
    .reduce((sum, { text, isTight }) => (sum === "" ? text : `${sum}${isTight ? "\n" : "\n\n"}${text}`), "");
}

function isItem(tree: BlockTree | undefined): boolean {
  return ["bulleted_list_item", "numbered_list_item", "to_do"].includes(tree?.block.type ?? "");
}

function blockToMarkdown({ block, children }: BlockTree): string {
  const content = contentOf(block);
  if (block.type === "table") return tableToMarkdown(children);
  const own = ownText(block.type, content);
  const inner = blocksToMarkdown(children);
  if (inner === "") return own;
  const isIndented = isItem({ block, children });
  const nested = isIndented ? inner.replaceAll(/^(?=.)/gm, "  ") : inner;
  return own === "" ? nested : `${own}${isIndented ? "\n" : "\n\n"}${nested}`;
}

function contentOf(block: NotionBlock): Readonly<Record<string, unknown>> {
  const content = block[block.type];
  return isPlainObject(content) ? content : {};
}

/** Returns a block's own text; empty for blocks that only contain other blocks, and for blocks without words. */
function ownText(type: string, content: Readonly<Record<string, unknown>>): string {
  const text = readRichText(content.rich_text);
  const [, level] = /^heading_([1-6])$/.exec(type) ?? [];
  if (level !== undefined) return text === "" ? "" : `${"#".repeat(Number(level))} ${text.replaceAll(/\s+/g, " ")}`;
  switch (type) {
    case "bulleted_list_item":
      return `- ${text}`;
    case "numbered_list_item":
      return `1. ${text}`;
    case "to_do":
      return `- [${content.checked === true ? "x" : " "}] ${text}`;
    case "quote":
    case "callout":
      return text.replaceAll(/^/gm, "> ");
    case "code":
      return `\`\`\`${typeof content.language === "string" ? content.language : ""}\n${plainRichText(content.rich_text)}\n\`\`\``;
    case "equation":
      return typeof content.expression === "string" ? `$$${content.expression}$$` : "";
    case "child_page":
    case "child_database":
      return typeof content.title === "string" ? `[[${content.title}]]` : "";
    case "divider":
      return "---";
    default:
      return text === "" ? readRichText(content.caption) : text;
  }
}

function tableToMarkdown(rows: readonly BlockTree[]): string {
  const cells = rows.map(({ block }) => {
    const { cells: list } = contentOf(block);
    return Array.isArray(list) ? list.map((cell: unknown) => readRichText(cell).replaceAll(/[\n|]+/g, " ")) : [];
  });
  const [head, ...others] = cells.map((row) => `| ${row.join(" | ")} |`);
  if (head === undefined) return "";
  return [head, `|${" --- |".repeat(cells[0]?.length ?? 0)}`, ...others].join("\n");
}
